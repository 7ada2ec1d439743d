/* A board in C, written from docs/protocol.md alone: proof that the page is enough for another language.
 *
 *   board PORT     PORT: path of a terminal, or number of an open file descriptor
 *   board encode   lines "type flags seq ack payload", as in tests/golden/wire_vectors.txt, to frames
 *   board decode   frames back to such lines
 *
 * Station 0 "bed 1" has a button, a lamp and a scale; station 1 "pad" a reader and texture. The world comes in
 * on stdin (see table.h), its end is the end of the power. What a table would see or hear goes out on stdout.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "table.h"
#include "wire.h"

enum { RING = 32, WINDOW = 8, CREDIT_EVERY = 128, OUTBOX = 4096 };
enum { MS = 1000, LOOK = 50 * MS, HELLO_EVERY = 2000 * MS, SILENT = 4000 * MS };
enum { RESEND = 250 * MS, SLOWEST = 1000 * MS };

typedef struct { uint8_t type, flags; Bytes payload; } Frame;

static int port = -1;
static uint64_t now, started, heard, next_hello, next_look, deaf_until;
static uint32_t boot_id, session;
static bool events_lost, samples_wanted, pressing;
static uint8_t picture;

static struct { uint8_t bytes[OUTBOX]; int n; } outbox;
static struct { uint8_t chunk[CHUNK]; int n; bool too_long; uint32_t consumed, credited; uint16_t bad; } inbox;
/* Frames 0..flown-1 of the ring have been on the wire, frame `next` is the next to be put there. */
static struct { Frame frames[RING]; int first, count, flown, next; uint8_t base; uint64_t due, wait; } ring;
static struct { uint8_t expected, taken; bool any, owed; } theirs;

static bool host_there(void)
{
    return session && now - heard <= SILENT;
}

static bool send_frame(int type, int flags, int seq, const Bytes *payload)
{
    if (outbox.n + ENCODED > (type == SAMPLE ? OUTBOX / 2 : OUTBOX))
        return false;
    if (theirs.any) {
        flags |= ACK;
        theirs.owed = false;
    }
    outbox.n += encode(outbox.bytes + outbox.n, type, flags, seq, theirs.taken, payload);
    return true;
}

static void queue(int type, int flags, const Bytes *payload)
{
    ring.frames[(ring.first + ring.count++) % RING] = (Frame){(uint8_t)type, (uint8_t)(flags | SEQ), *payload};
}

static void acknowledged(uint8_t ack)
{
    int n = (uint8_t)(ack - ring.base) + 1;
    if (n > ring.flown)
        return;
    ring.first = (ring.first + n) % RING;
    ring.base = (uint8_t)(ring.base + n);
    ring.count -= n;
    ring.flown -= n;
    ring.next = ring.next > n ? ring.next - n : 0;
    ring.wait = RESEND;
    ring.due = now + ring.wait;
}

static void send_all_again(uint64_t wait)
{
    ring.next = 0;
    ring.wait = wait < SLOWEST ? wait : SLOWEST;
    ring.due = now + ring.wait;
}

static void send_waiting(void)
{
    if (ring.flown && now >= ring.due)
        send_all_again(ring.wait * 2);
    while (ring.next < ring.count && ring.next < WINDOW) {
        const Frame *f = &ring.frames[(ring.first + ring.next) % RING];
        if (!send_frame(f->type, f->flags, (uint8_t)(ring.base + ring.next), &f->payload))
            return;
        if (!ring.flown)
            ring.due = now + ring.wait;
        if (++ring.next > ring.flown)
            ring.flown = ring.next;
    }
    if (theirs.owed || inbox.consumed - inbox.credited >= CREDIT_EVERY) {
        Bytes b = {0, {0}};
        put(&b, inbox.consumed, 4);
        send_frame(CREDIT, 0, 0, &b);
        inbox.credited = inbox.consumed;
        theirs.owed = false;
    }
}

static Bytes stamped(int kind, int station)
{
    Bytes b = {2, {(uint8_t)kind, (uint8_t)station}};
    put(&b, now, 8);
    return b;
}

static void event(int kind, int station, const Bytes *data)
{
    Bytes b = stamped(kind, station);
    if (!session)
        return;
    /* Once one is lost the others wait for the snapshots too: alone they would be steps from nowhere. */
    if (events_lost || ring.count == RING) {
        events_lost = true;
        return;
    }
    put_bytes(&b, data->at, (size_t)data->n);
    queue(EVENT, 0, &b);
}

static void queue_snapshots(void)
{
    for (int station = 0; station < STATIONS; station++) {
        Bytes b = stamped(0, station);
        b.at[0] = (uint8_t)put_state(&b, station);
        queue(SNAPSHOT, events_lost ? GAP : 0, &b);
        events_lost = false;
    }
}

/* Whether each part answers: of all parts, or of those that were told otherwise. */
static void tell_parts(bool all)
{
    static bool silent[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++) {
        bool now_silent = (table.dead[PARTS[i].station] & PARTS[i].capability) != 0;
        char name[60];
        Bytes b = {2, {(uint8_t)PARTS[i].capability, !now_silent}};
        if (!all && now_silent == silent[i])
            continue;
        silent[i] = now_silent;
        snprintf(name, sizeof name, "%s %s", NAMES[PARTS[i].station], PARTS[i].name);
        put_block(&b, name, strlen(name));
        event(PART, PARTS[i].station, &b);
    }
}

static void say_hello(void)
{
    Bytes b = {0, {0}};
    put(&b, 0x0101, 2);   /* protocol 1.1 */
    put(&b, 0x000100, 3); /* firmware 0.1.0 */
    put(&b, 0xC0DE0C99, 4);
    put(&b, boot_id, 4);
    put(&b, session, 4);
    put(&b, 1, 1);
    put(&b, ring.base, 1);
    put(&b, now, 8);
    put_block(&b, "C99board", 8);
    put(&b, STATIONS, 1);
    for (int station = 0; station < STATIONS; station++) {
        put_block(&b, NAMES[station], strlen(NAMES[station]));
        put(&b, CAPS[station], 1);
        put(&b, table.dead[station], 1);
    }
    send_frame(HELLO, 0, 0, &b);
    next_hello = now + HELLO_EVERY;
}

static void result(int seq, int op, bool ok, const char *text)
{
    Bytes b = {3, {(uint8_t)seq, (uint8_t)op, ok}};
    put_block(&b, text, strlen(text));
    queue(RESULT, 0, &b);
}

static void command(int seq, const uint8_t *at, int n)
{
    int op = n > 0 ? at[0] : 0, station = n > 1 ? at[1] : ALL;
    char text[120] = "";
    bool ok = true, on_bed = station == BED || station == ALL;
    if (op == LAMP_OP && n >= 5 && on_bed) {
        printf("lamp %d %d %d\n", at[2], at[3], at[4]);
    } else if (op == BEEP_OP && n >= 6) {
        printf("beep %d %d\n", (int)number(at + 2, 2), (int)number(at + 4, 2));
    } else if (op == ZERO_OP && on_bed) {
        scale.zero_wanted = true;
    } else if (op == SELFTEST_OP) {
        ok = selftest(station, n > 2 ? at[2] : 0, text, sizeof text);
    } else if (op == SNAPSHOT_OP && RING - ring.count > STATIONS) {
        queue_snapshots();
    } else {
        ok = false;
        strcpy(text, op == SNAPSHOT_OP ? "busy" : "this board cannot do that");
    }
    result(seq, op, ok, text);
}

static void configure(int seq, const uint8_t *at, int n)
{
    int key = n >= 6 ? at[0] : 0;
    int32_t value = key ? (int32_t)number(at + 2, 4) : 0;
    bool ok = key >= SAMPLES_KEY && key <= ZERO_KEY && (at[1] == BED || at[1] == ALL);
    ok = ok && (key != SCALE_KEY || value > 0);
    if (ok && key == SAMPLES_KEY)
        samples_wanted = value != 0;
    if (ok && key == STEP_KEY)
        scale.step = value;
    if (ok && key == BAND_KEY)
        scale.band = value;
    if (ok && key == SCALE_KEY)
        scale.per_gram = value;
    if (ok && key == ZERO_KEY) {
        scale.zero = value;
        scale.zero_wanted = false;
    }
    scale.changed |= ok && key >= SCALE_KEY;
    result(seq, key, ok, ok ? "" : "this board has no such setting");
}

static void identify(const uint8_t *at, int n)
{
    uint32_t told = n >= 7 ? (uint32_t)number(at + 2, 4) : 0;
    if (!told)
        return;
    bool fresh = told != session && at[0] == 1;
    if (fresh) {
        session = told;
        ring.base = (uint8_t)(ring.base + ring.flown);
        ring.first = ring.count = ring.flown = 0;
        theirs.expected = at[6];
        theirs.any = theirs.owed = events_lost = false;
    }
    say_hello();
    if (fresh) {
        queue_snapshots();
        tell_parts(true);
    }
    send_all_again(RESEND);
}

static void pong(const uint8_t *at, int n)
{
    Bytes b = {0, {0}};
    if (n < 8)
        return;
    put_bytes(&b, at, 8);
    put(&b, now, 8);
    put(&b, inbox.consumed, 4);
    put(&b, inbox.bad, 2);
    send_frame(PONG, 0, 0, &b);
}

static void take(const uint8_t *frame, int length)
{
    int type = frame[0], flags = frame[1], seq = frame[2], n = length - 4;
    const uint8_t *payload = frame + 4;
    heard = now;
    if (flags & ACK && session)
        acknowledged(frame[3]);
    if (flags & SEQ) {
        theirs.owed = true;
        /* A full ring leaves the host's frame untaken: it comes again, and no RESULT gets lost. */
        if (!session || seq != theirs.expected || ring.count == RING)
            return;
        theirs.expected++;
        theirs.taken = (uint8_t)seq;
        theirs.any = true;
        if (type == CMD)
            command(seq, payload, n);
        if (type == CONFIG)
            configure(seq, payload, n);
    } else if (type == IDENT) {
        identify(payload, n);
    } else if (type == PING) {
        pong(payload, n);
    } else if (type == EXIT) {
        printf("exit\n");
        exit(0);
    }
}

static void receive(uint8_t byte)
{
    uint8_t frame[CHUNK];
    inbox.consumed++;
    if (byte) {
        if (inbox.n < CHUNK)
            inbox.chunk[inbox.n++] = byte;
        else
            inbox.too_long = true;
        return;
    }
    int length = inbox.too_long ? -1 : decode(inbox.chunk, inbox.n, frame);
    inbox.bad = (uint16_t)(inbox.bad + (inbox.n && length < 0));
    inbox.n = 0;
    inbox.too_long = false;
    if (length >= 0)
        take(frame, length);
}

static void read_table(void)
{
    static char line[1024];
    static size_t n;
    ssize_t got = read(STDIN_FILENO, line + n, sizeof line - n);
    if (got <= 0)
        exit(0);
    n += (size_t)got;
    for (char *end; (end = memchr(line, '\n', n));) {
        size_t used = (size_t)(end - line) + 1;
        *end = 0;
        int kind = table_line(line);
        if (kind == TAG)
            event(TAG, PAD, &table.tags);
        if (kind == BUTTON)
            event(BUTTON, BED, &(Bytes){1, {table.button}});
        if (kind == PART)
            tell_parts(false);
        memmove(line, line + used, n -= used);
    }
    if (table.quiet_s)
        deaf_until = now + (uint64_t)table.quiet_s * 1000 * MS;
    table.quiet_s = 0;
}

static void weigh(void)
{
    Bytes data = {0, {0}};
    if (!table.loaded)
        return;
    if (scale_reads()) {
        put_weight(&data);
        event(WEIGHT, BED, &data);
    }
    if (samples_wanted && host_there()) {
        data = stamped(2, BED);
        put(&data, (uint64_t)scale.counts, 4);
        send_frame(SAMPLE, 0, 0, &data);
    }
}

static void feel(void)
{
    bool any = false;
    for (int i = 0; i < CELLS; i++)
        any |= table.pressures[i] != 0;
    for (uint8_t part = 0; (any || pressing) && host_there() && part < 2; part++) {
        Bytes b = stamped(1, PAD);
        put_bytes(&b, (uint8_t[]){picture, part, 2}, 3);
        put_bytes(&b, table.pressures + part * CELLS / 2, CELLS / 2);
        send_frame(SAMPLE, 0, 0, &b);
    }
    picture++;
    pressing = any;
}

static void step(void)
{
    struct pollfd in[2] = {{STDIN_FILENO, POLLIN, 0}, {now < deaf_until ? -1 : port, POLLIN, 0}};
    struct timespec t;
    uint8_t bytes[256];
    poll(in, 2, 5);
    clock_gettime(CLOCK_MONOTONIC, &t);
    now = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000 - started;
    if (in[0].revents)
        read_table();
    ssize_t got = in[1].revents & POLLIN ? read(port, bytes, sizeof bytes) : 0;
    for (ssize_t i = 0; i < got; i++)
        receive(bytes[i]);
    if (in[1].revents & POLLHUP && got <= 0)
        nanosleep(&(struct timespec){0, 5000 * MS}, NULL); /* no host has the port open: poll() does not wait */
    if (now >= next_look) {
        next_look = now + LOOK;
        weigh();
        feel();
    }
    if (events_lost && RING - ring.count >= STATIONS + PART_COUNT) {
        queue_snapshots();
        tell_parts(true);
    }
    if (!session && now >= next_hello)
        say_hello();
    if (host_there())
        send_waiting();
    ssize_t taken = outbox.n ? write(port, outbox.bytes, (size_t)outbox.n) : 0;
    if (taken < 0 && errno != EAGAIN)
        taken = outbox.n; /* into the void, as over a cable that is not plugged in */
    if (taken > 0)
        memmove(outbox.bytes, outbox.bytes + taken, (size_t)(outbox.n -= (int)taken));
}

int main(int argc, char **argv)
{
    char *end = "";
    struct termios mode;
    struct timespec t;
    if (argc == 2 && !strcmp(argv[1], "encode"))
        return encode_lines();
    if (argc == 2 && !strcmp(argv[1], "decode"))
        return decode_lines();
    if (argc == 2 && *argv[1])
        port = (int)strtol(argv[1], &end, 10);
    if (*end)
        port = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
    FILE *chance = fopen("/dev/urandom", "rb");
    if (port < 0 || tcgetattr(port, &mode) || !chance || !fread(&boot_id, sizeof boot_id, 1, chance)) {
        fprintf(stderr, "usage: board PORT | encode | decode; PORT is a terminal or its file descriptor\n");
        return 2;
    }
    fclose(chance);
    cfmakeraw(&mode);
    tcsetattr(port, TCSANOW, &mode);
    fcntl(port, F_SETFL, fcntl(port, F_GETFL) | O_NONBLOCK);
    setvbuf(stdout, NULL, _IOLBF, 0);
    clock_gettime(CLOCK_MONOTONIC, &t);
    started = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
    for (;;)
        step();
}
