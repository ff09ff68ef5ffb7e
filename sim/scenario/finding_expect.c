/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/finding_expect.h"

#include <string.h>

#include "hazard/hazard.h"
#include "scenario/alternative_read.h"
#include "scenario/expect.h"
#include "scenario/step_read.h"

static void complain_of_name(struct part_reader *reader, const struct json *json,
                             const char *name) {
    ARRAY(const char *) names = { 0 };
    for (uint32_t row = 0; row < hazard_row_count(); row++) {
        array_add(&names, hazard_row(row)->name);
    }
    const char *nearest = problem_nearest(name, names.items, names.count);
    json_complain(json, reader->problem, "there is no finding \"%.60s\"%s%s%s", name,
                  nearest == NULL ? "; see `aclsim list hazards`" : "; did you mean \"",
                  nearest == NULL ? "" : nearest, nearest == NULL ? "" : "\"?");
    reader->is_bad = true;
    array_fini(&names);
}

/* A number, or numbers by product. */
static bool is_count(const struct json *json) {
    if (json_type(json) != JSON_OBJECT) {
        return json_type(json) == JSON_NUMBER && json_integer(json) >= 0;
    }
    for (const struct json *at = json_first(json); at != NULL; at = json_next(at)) {
        if (json_type(at) != JSON_NUMBER || json_integer(at) < 0) {
            return false;
        }
    }
    return json_count(json) > 0;
}

/* How often a finding is expected on the product of the first process. */
static uint64_t expected_count(const struct run *run, const struct scenario_finding *finding) {
    int64_t count = 0;
    if (finding->count.count == 0) {
        return 1;
    }
    return expect_code(run, finding->count, 0, &count) ? (uint64_t)count : 0;
}

void finding_expect_read(struct part_reader *reader, const struct json *json) {
    struct scenario_finding finding = { NULL, { 0, 0 } };
    if (json_type(json) == JSON_STRING) {
        finding.name = json_string(json);
    } else if (json_type(json) == JSON_OBJECT && json_count(json) == 1 &&
               is_count(json_first(json))) {
        struct step_reader counts = { .scenario = reader->scenario, .problem = reader->problem };
        finding.name = json_key(json_first(json));
        alternative_read_all(&counts, json_first(json), alternative_read_code, &finding.count);
        reader->is_bad = reader->is_bad || counts.is_bad;
    } else {
        part_complain(reader, json,
                      "a finding is a name, or {\"name\": how often}, or {\"name\": "
                      "{\"default\": how often, product or family: how often}}");
        return;
    }
    if (hazard_find_row(finding.name) == NULL) {
        complain_of_name(reader, json, finding.name);
        return;
    }
    array_add(&reader->scenario->findings, finding);
}

static uint64_t count_found(const struct run *run, uint32_t row) {
    const struct findings *findings = run_findings(run);
    uint64_t count = 0;
    for (uint32_t place = 0; place < findings_count(findings); place++) {
        const struct finding *finding = findings_get(findings, place);
        count += finding->row == row ? finding->times : 0;
    }
    return count;
}

bool finding_expect_next(const struct run *run, uint32_t row,
                         struct finding_difference *difference) {
    const struct scenario *scenario = run_scenario(run);
    uint32_t count = hazard_row_count();
    for (; row < count; row++) {
        bool is_listed = false;
        *difference = (struct finding_difference){ row, 0, count_found(run, row) };
        for (size_t place = 0; place < scenario->findings.count; place++) {
            const struct scenario_finding *at = &scenario->findings.items[place];
            if (strcmp(at->name, hazard_row(row)->name) == 0) {
                difference->expected += expected_count(run, at);
                is_listed = true;
            }
        }
        bool counts = is_listed || finding_fails(hazard_row(row)->severity);
        if (counts && difference->expected != difference->found) {
            return true;
        }
    }
    return false;
}
