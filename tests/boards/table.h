/* The world around the board: what its two stations feel, told line by line.
 *
 *   button 0 1 | tag 1 04a1b2c3d4e580 ... | tag 1 | weight 0 84 (tenths of a gram)
 *   press 1 ROW COLUMN PRESSURE | release 1 | dead STATION CAPABILITIES
 *   quiet SECONDS (the board does not read its port)
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdlib.h>
#include "wire.h"

enum { BED, PAD, STATIONS };
enum { ROWS = 16, COLUMNS = 16, CELLS = ROWS * COLUMNS, MOST_TAGS = 16 };
enum { CELL_COUNTS_PER_GRAM = 1000, EMPTY_CELL = 81234 };

static const char *const NAMES[STATIONS] = {"bed 1", "pad"};
static const uint8_t CAPS[STATIONS] = {COUNT | PRESSED | LAMP, READER | TEXTURE};
static const struct { int station, capability; const char *name; } PARTS[] = {
    {BED, PRESSED, "button"}, {BED, COUNT, "scale"}, {BED, LAMP, "lamp"},
    {PAD, READER, "reader"}, {PAD, TEXTURE, "texture"}};
enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };

static struct {
    uint8_t dead[STATIONS], pressures[CELLS], button;
    Bytes tags; /* as in a TAG event */
    int32_t load;
    bool loaded; /* there is nothing to weigh before the first load is told */
    int quiet_s;
} table = {.tags = {1, {0}}};

/* Tenths of a gram are reported, everything else is in counts. Rest: two readings within the band. */
static struct {
    bool read, zero_wanted, known, changed;
    int32_t counts, zero, step, band, per_gram;
    int32_t tenths, mean; /* the last report, once `known` */
} scale = {.zero_wanted = true, .step = 5, .band = 2, .per_gram = CELL_COUNTS_PER_GRAM};

/* Takes one line; the event kind that it makes at once, or 0. */
static int table_line(char *line)
{
    char *word = strtok(line, " "), *more = strtok(NULL, " ");
    int station = more ? atoi(more) : 0, v[3] = {0};
    if (!word)
        return 0;
    if (!strcmp(word, "tag")) {
        table.tags = (Bytes){1, {0}};
        while ((more = strtok(NULL, " ")) && table.tags.at[0] < MOST_TAGS) {
            Bytes uid = {0, {0}};
            put_hex(&uid, more);
            put_block(&table.tags, uid.at, (size_t)uid.n);
            table.tags.at[0]++;
        }
        return TAG;
    }
    for (int i = 0; i < 3 && (more = strtok(NULL, " ")); i++)
        v[i] = atoi(more);
    if (!strcmp(word, "button")) {
        table.button = v[0] != 0;
        return BUTTON;
    }
    if (!strcmp(word, "weight")) {
        table.load = v[0];
        table.loaded = true;
    } else if (!strcmp(word, "press")) {
        table.pressures[(v[0] * COLUMNS + v[1]) & (CELLS - 1)] = (uint8_t)v[2];
    } else if (!strcmp(word, "release")) {
        memset(table.pressures, 0, sizeof table.pressures);
    } else if (!strcmp(word, "dead")) {
        table.dead[station % STATIONS] = (uint8_t)v[0];
        return PART;
    } else if (!strcmp(word, "quiet")) {
        table.quiet_s = station;
    }
    return 0;
}

/* One reading of the load cell; whether there is something new to report. */
static bool scale_reads(void)
{
    int32_t counts = EMPTY_CELL + table.load * CELL_COUNTS_PER_GRAM / 10;
    bool rests = scale.read && abs(counts - scale.counts) <= scale.band * scale.per_gram / 10;
    scale.counts = counts;
    scale.read = true;
    if (!rests)
        return false;
    if (scale.zero_wanted) {
        scale.zero = counts;
        scale.changed = true;
        scale.zero_wanted = false;
    }
    int32_t tenths = (int32_t)((int64_t)(counts - scale.zero) * 10 / scale.per_gram);
    if (scale.known && !scale.changed && abs(tenths - scale.tenths) < scale.step)
        return false;
    scale.tenths = tenths;
    scale.mean = counts;
    scale.known = true;
    scale.changed = false;
    return true;
}

static void put_weight(Bytes *b)
{
    put(b, (uint64_t)scale.tenths, 4);
    put(b, (uint64_t)scale.mean, 4);
    put(b, (uint64_t)scale.zero, 4);
}

/* What is known of a station: the mask of a SNAPSHOT; its data go into `b`. */
static int put_state(Bytes *b, int station)
{
    int mask = CAPS[station] & ~table.dead[station] & (READER | PRESSED | (scale.known ? COUNT : 0));
    if (mask & READER)
        put_bytes(b, table.tags.at, (size_t)table.tags.n);
    if (mask & COUNT)
        put_weight(b);
    if (mask & PRESSED)
        put(b, table.button, 1);
    return mask;
}

/* The text for part number `wanted` of a station, or for all that are dead; whether they are sound. */
static bool selftest(int station, int wanted, char *text, size_t room)
{
    bool sound = true;
    *text = 0;
    for (int i = 0, part = 0; i < PART_COUNT; i++) {
        bool answers = !(table.dead[PARTS[i].station] & PARTS[i].capability);
        size_t used = strlen(text);
        if (station == ALL && !answers) {
            snprintf(text + used, room - used, "%s%s", used ? ", " : "", PARTS[i].name);
            sound = false;
        } else if (station == PARTS[i].station && part++ == wanted) {
            int value = PARTS[i].capability == COUNT ? scale.counts : answers;
            snprintf(text, room, "%s: %d", PARTS[i].name, value);
            sound = answers;
        }
    }
    return sound;
}

#endif
