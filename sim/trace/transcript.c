/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/transcript.h"

#include <inttypes.h>

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
    bool in_colour = transcript->colour && detail->result->code != 0;
    text_append(&transcript->line, in_colour ? " \033[31m" : " ");
    call_text_result(detail->record, detail->result, &transcript->line);
    text_append(&transcript->line, in_colour ? "\033[0m" : "");
    if (detail->result->cost_ns > 0) {
        text_printf(&transcript->line, "  [%s]", units_write_time(detail->result->cost_ns, cost));
    }
    if (detail->result->waited_ns > 0) {
        text_printf(&transcript->line, "  after %s in the driver queue",
                    units_write_time(detail->result->waited_ns, cost));
    }
    write_line(transcript, fact, process->name);
}

/* A small value is a number or a process id, a large one an address, a handle or a share. */
enum { NUMBER_MOST = 1 << 16 };

static void read_message(struct transcript *transcript, const struct fact *fact, const char *verb) {
    const struct site *site = transcript->machine->site;
    bool is_number = fact->value[0] < NUMBER_MOST;
    text_printf(&transcript->line, is_number ? "%s %s: %" PRIu64 : "%s %s: 0x%" PRIx64, verb,
                site->process[fact->value[1]].name, fact->value[0]);
    write_line(transcript, fact, process_of(transcript, fact->thread)->name);
}

/* Kinds of facts by which an ending process gives back what it had. */
struct given_row {
    enum fact_kind kind;
    const char *what;
    const char *many;
    uint32_t bytes; /* which value holds them; FACT_VALUES for none */
};

static const struct given_row given_rows[] = {
    { FACT_BLOCK_FREED, "block", "blocks", 2 },
    { FACT_HOST_FREED, "host block", "host blocks", 2 },
    { FACT_ALLOCATION_FREED, "allocation", "allocations", 1 },
    { FACT_HANDLE_DESTROYED, "handle", "handles", FACT_VALUES },
    { FACT_UNMAPPED, "mapping", "mappings", 1 },
    { FACT_UNRESERVED, "reservation", "reservations", 1 },
};
_Static_assert(sizeof given_rows / sizeof *given_rows == TRANSCRIPT_GIVEN, "a count for each row");

/* Only the end of a process gives back outside of a call. */
static bool read_given(struct transcript *transcript, const struct fact *fact) {
    for (uint32_t row = 0; row < TRANSCRIPT_GIVEN; row++) {
        if (given_rows[row].kind == (enum fact_kind)fact->kind) {
            struct transcript_given *given = &transcript->given[row];
            uint32_t bytes = given_rows[row].bytes;
            given->count += fact->row == FACT_NO_ROW;
            if (fact->row == FACT_NO_ROW && bytes < FACT_VALUES) {
                given->bytes += fact->value[bytes];
            }
            return true;
        }
    }
    return false;
}

static void write_given(struct transcript *transcript) {
    const char *comma = "; this gives back ";
    for (uint32_t row = 0; row < TRANSCRIPT_GIVEN; row++) {
        struct transcript_given *given = &transcript->given[row];
        char size[UNITS_TEXT_SIZE];
        if (given->count > 0) {
            text_printf(&transcript->line, "%s%llu %s", comma, (unsigned long long)given->count,
                        given->count == 1 ? given_rows[row].what : given_rows[row].many);
            comma = ", ";
        }
        if (given->bytes > 0) {
            text_printf(&transcript->line, " (%s)", units_write_size(given->bytes, size));
        }
        *given = (struct transcript_given){ 0, 0 };
    }
}

static void read_end(struct transcript *transcript, const struct fact *fact) {
    text_append(&transcript->line, fact->value[1] == 0 ? "ends" : "is killed");
    write_given(transcript);
    write_line(transcript, fact, transcript->machine->site->process[fact->value[0]].name);
}

/* It asked for these kinds and gets no other. */
static void read_fact(void *context, const struct fact *fact, const void *detail) {
    struct transcript *transcript = context;
    text_clear(&transcript->line);
    if (read_given(transcript, fact)) {
        return;
    }
    if (fact->kind == FACT_CALLED) {
        read_call(transcript, fact, detail);
    } else if (fact->kind == FACT_SENT) {
        read_message(transcript, fact, "sends to");
    } else if (fact->kind == FACT_RECEIVED) {
        read_message(transcript, fact, "receives from");
    } else {
        read_end(transcript, fact);
    }
    if (transcript->steps) {
        holdings_print(&transcript->holdings, transcript->stream);
    }
}

void transcript_open(struct transcript *transcript, struct machine *machine, FILE *stream,
                     struct transcript_form form) {
    uint64_t kinds = journal_kind(FACT_CALLED) | journal_kind(FACT_SENT) |
                     journal_kind(FACT_RECEIVED) | journal_kind(FACT_PROCESS_ENDED);
    for (uint32_t row = 0; row < TRANSCRIPT_GIVEN; row++) {
        kinds |= journal_kind(given_rows[row].kind);
    }
    *transcript = (struct transcript){
        .machine = machine, .stream = stream, .steps = form.steps, .colour = form.colour
    };
    holdings_open(&transcript->holdings, machine, form.colour);
    journal_add_reader(&machine->journal, kinds, read_fact, transcript);
}

void transcript_close(struct transcript *transcript) {
    text_fini(&transcript->line);
    holdings_close(&transcript->holdings);
}
