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

static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct transcript *transcript = context;
    const struct site *site = transcript->machine->site;
    text_clear(&transcript->line);
    switch ((enum fact_kind)fact->kind) {
    case FACT_CALLED:
        read_call(transcript, fact, detail);
        break;
    case FACT_SENT:
        text_printf(&transcript->line, "sends 0x%llx to %s", (unsigned long long)fact->value[0],
                    site->process[fact->value[1]].name);
        write_line(transcript, fact, process_of(transcript, fact->thread)->name);
        break;
    case FACT_RECEIVED:
        text_printf(&transcript->line, "receives 0x%llx from %s",
                    (unsigned long long)fact->value[0], site->process[fact->value[1]].name);
        write_line(transcript, fact, process_of(transcript, fact->thread)->name);
        break;
    case FACT_PROCESS_ENDED:
        text_append(&transcript->line, fact->value[1] == 0 ? "ends" : "is killed");
        write_line(transcript, fact, site->process[fact->value[0]].name);
        break;
    default:
        break;
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
