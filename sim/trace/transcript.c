/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/transcript.h"

#include "base/units.h"
#include "trace/call_text.h"

enum { TIME_WIDTH = 10, NAME_WIDTH = 10 };

static const struct site_process *process_of(const struct transcript *transcript, uint32_t thread) {
    const struct site *site = transcript->machine->site;
    return &site->process[site->thread[thread].process];
}

static void write_line(struct transcript *transcript, const struct fact *fact,
                       const char *process) {
    /* Always microseconds, so that a column of times is read at a glance. */
    (void)fprintf(transcript->stream, "%*llu.%03lluus  %-*s %s\n", TIME_WIDTH,
                  (unsigned long long)(fact->time_ns / 1000),
                  (unsigned long long)(fact->time_ns % 1000), NAME_WIDTH, process,
                  text_get(&transcript->line));
}

static void read_call(struct transcript *transcript, const struct fact *fact,
                      const struct acl_detail *detail) {
    const struct site_process *process = process_of(transcript, fact->thread);
    char cost[UNITS_TEXT_SIZE];
    call_text_arguments(detail->record, &transcript->line);
    text_append(&transcript->line, " ");
    call_text_result(detail->record, detail->result, &transcript->line);
    if (detail->result->cost_ns > 0) {
        text_printf(&transcript->line, "  [%s]", units_write_time(detail->result->cost_ns, cost));
    }
    write_line(transcript, fact, process->name);
}

static void read_message(struct transcript *transcript, const struct fact *fact, const char *verb) {
    const struct site *site = transcript->machine->site;
    text_printf(&transcript->line, "%s %s: 0x%llx", verb, site->process[fact->value[1]].name,
                (unsigned long long)fact->value[0]);
    write_line(transcript, fact, process_of(transcript, fact->thread)->name);
}

static void read_end(struct transcript *transcript, const struct fact *fact) {
    text_append(&transcript->line, fact->value[1] == 0 ? "ends" : "is killed");
    write_line(transcript, fact, transcript->machine->site->process[fact->value[0]].name);
}

/* It asked for four kinds and gets no other. */
static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct transcript *transcript = context;
    text_clear(&transcript->line);
    if (fact->kind == FACT_CALLED) {
        read_call(transcript, fact, detail);
    } else if (fact->kind == FACT_SENT) {
        read_message(transcript, fact, "sends to");
    } else if (fact->kind == FACT_RECEIVED) {
        read_message(transcript, fact, "receives from");
    } else {
        read_end(transcript, fact);
    }
}

void transcript_open(struct transcript *transcript, struct machine *machine, FILE *stream) {
    uint64_t kinds = journal_kind(FACT_CALLED) | journal_kind(FACT_SENT) |
                     journal_kind(FACT_RECEIVED) | journal_kind(FACT_PROCESS_ENDED);
    *transcript = (struct transcript){ .machine = machine, .stream = stream };
    journal_add_reader(&machine->journal, kinds, read_fact, transcript);
}

void transcript_close(struct transcript *transcript) {
    text_fini(&transcript->line);
}
