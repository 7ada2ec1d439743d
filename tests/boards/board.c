/* A board in C, written from docs/protocol.md alone: proof that the page is enough for another language.
 *
 *   board PORT     PORT: path of a terminal, or number of an open file descriptor
 *   board encode   lines "type flags seq ack payload" from stdin, as in tests/golden/wire_vectors.txt, to frames
 *   board decode   frames back to such lines; "-" for whatever is no frame
 *
 * Station 0 "bed 1" has a button, a lamp and a scale; station 1 "pad" a reader and texture. The world comes in
 * as lines on stdin, and what a table would see or hear goes out as lines on stdout:
 *
 *   button 0 1 | tag 1 04a1b2c3d4e580 ... | tag 1 | weight 0 84 (tenths of a gram) | press 1 ROW COLUMN PRESSURE
 *   release 1 | dead STATION CAPABILITIES | quiet SECONDS (does not read its port) | end of file: power off
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

enum { HELLO = 1, IDENT, PING, PONG, CREDIT, CONFIG, EVENT, SNAPSHOT, SAMPLE, CMD, RESULT, LOG, EXIT };
enum { SEQ = 1, ACK = 2, GAP = 4 };
enum { TAG = 1, WEIGHT, TOUCH, BUTTON };
enum { READER = 1, TEXTURE = 2, COUNT = 4, PRESSED = 16, LAMP = 32 };
enum { PAYLOAD = 200, FRAME = 208, CHUNK = FRAME + 1, RING = 32, WINDOW = 8, STATIONS = 2, ALL = 0xFF };
enum { BED, PAD };
enum { MS = 1000, RESEND = 250 * MS, SLOWEST = 1000 * MS, HELLO_EVERY = 2000 * MS, SILENT = 4000 * MS };
enum { ROWS = 16, COLUMNS = 16, TAGS = 16, COUNTS_PER_GRAM = 1000, EMPTY_CELL = 81234 };

typedef struct { int n; uint8_t at[PAYLOAD]; } Bytes;
typedef struct { uint8_t type, flags; Bytes payload; } Frame;

static const char *const NAMES[STATIONS] = {"bed 1", "pad"};
static const uint8_t CAPS[STATIONS] = {COUNT | PRESSED | LAMP, READER | TEXTURE};
static const struct { int station, capability; const char *name; } PARTS[] = {
    {BED, PRESSED, "button"}, {BED, COUNT, "scale"}, {BED, LAMP, "lamp"}, {PAD, READER, "reader"}, {PAD, TEXTURE, "texture"}};
enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };

static int port = -1;
static uint64_t now, started, heard, next_hello, deaf_until;
static uint32_t boot_id, session;

static struct { uint8_t bytes[4096]; int n; } outbox;
static struct { uint8_t chunk[CHUNK]; int n; bool too_long; uint32_t consumed, credited; uint16_t bad; } inbox;
/* Frames 0..flown-1 of the ring have been on the wire, frame `next` is the next to be put there. */
static struct { Frame frames[RING]; int first, count, flown, next; uint8_t base; uint64_t due, wait; } ring;
static struct { uint8_t expected, taken; bool any, owed; } theirs;
static bool snapshots_owed, events_lost;

static uint8_t dead[STATIONS];
static bool button, weight_samples;
static Bytes tags = {1, {0}};
static uint8_t pressures[ROWS * COLUMNS], texture_frame;
static bool pressing;
static uint64_t next_texture, next_weighing;
static struct { bool loaded, read, known, zero_known, zero_wanted, report; int32_t load, counts, mean, zero, tenths; int32_t step, band, per_gram; }
    scale = {.zero_wanted = true, .step = 5, .band = 2, .per_gram = COUNTS_PER_GRAM};

/* Bytes ---------------------------------------------------------------------------------------------------- */

static void put(Bytes *b, uint64_t value, int bytes)
{
    for (; bytes-- > 0 && b->n < PAYLOAD; value >>= 8)
        b->at[b->n++] = (uint8_t)value;
}

static void put_block(Bytes *b, const void *from, size_t n)
{
    put(b, n, 1);
    memcpy(b->at + b->n, from, n);
    b->n += (int)n;
}

static uint64_t number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static uint32_t crc32(const uint8_t *at, int n)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (; n > 0; n--, at++) {
        crc ^= *at;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Writes zero, COBS, zero; returns their length, at most CHUNK + 2. */
static int encode(uint8_t *out, int type, int flags, int seq, int ack, const Bytes *payload)
{
    uint8_t frame[FRAME] = {(uint8_t)type, (uint8_t)flags, (uint8_t)seq, (uint8_t)ack};
    int n = 4 + payload->n, code = 1, length = 2;
    memcpy(frame + 4, payload->at, (size_t)payload->n);
    uint32_t crc = crc32(frame, n);
    for (int i = 0; i < 4; i++)
        frame[n++] = (uint8_t)(crc >> 8 * i);
    out[0] = 0;
    for (int i = 0; i < n; i++) {
        if (frame[i])
            out[length++] = frame[i];
        if (!frame[i]) {
            out[code] = (uint8_t)(length - code);
            code = length++;
        }
    }
    out[code] = (uint8_t)(length - code);
    out[length++] = 0;
    return length;
}

/* The frame in a chunk between two zeros, without its CRC: its length, or -1 for whatever is no frame. */
static int decode(const uint8_t *chunk, int n, uint8_t *frame)
{
    int length = 0;
    for (int at = 0; at < n;) {
        int code = chunk[at++];
        if (code == 0 || code == 0xFF || at + code - 1 > n)
            return -1;
        memcpy(frame + length, chunk + at, (size_t)code - 1);
        length += code - 1;
        at += code - 1;
        if (at < n)
            frame[length++] = 0;
    }
    return length >= 8 && crc32(frame, length - 4) == number(frame + length - 4, 4) ? length - 4 : -1;
}

/* Frames out ----------------------------------------------------------------------------------------------- */

static bool send_frame(int type, int flags, int seq, const Bytes *payload)
{
    int room = type == SAMPLE ? (int)sizeof outbox.bytes / 2 : (int)sizeof outbox.bytes;
    if (outbox.n + CHUNK + 2 > room)
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

static void pump(void)
{
    if (ring.flown && now >= ring.due) {
        ring.next = 0;
        ring.wait = ring.wait * 2 < SLOWEST ? ring.wait * 2 : SLOWEST;
        ring.due = now + ring.wait;
    }
    while (ring.next < ring.count && ring.next < WINDOW) {
        const Frame *f = &ring.frames[(ring.first + ring.next) % RING];
        if (!send_frame(f->type, f->flags, (uint8_t)(ring.base + ring.next), &f->payload))
            return;
        if (!ring.flown)
            ring.due = now + ring.wait;
        if (++ring.next > ring.flown)
            ring.flown = ring.next;
    }
}

static Bytes stamped(int kind, int station)
{
    Bytes b = {0, {0}};
    put(&b, (uint64_t)kind, 1);
    put(&b, (uint64_t)station, 1);
    put(&b, now, 8);
    return b;
}

static void put_bytes(Bytes *b, const Bytes *more)
{
    memcpy(b->at + b->n, more->at, (size_t)more->n);
    b->n += more->n;
}

static void event(int kind, int station, const Bytes *data)
{
    Bytes b = stamped(kind, station);
    if (!session)
        return;
    /* Once one is lost the others wait for the snapshots too: an event between them would be a step from nowhere. */
    if (events_lost || ring.count == RING) {
        events_lost = snapshots_owed = true;
        return;
    }
    put_bytes(&b, data);
    queue(EVENT, 0, &b);
}

static void put_weight(Bytes *b)
{
    put(b, (uint64_t)scale.tenths, 4);
    put(b, (uint64_t)scale.mean, 4);
    put(b, (uint64_t)scale.zero, 4);
}

static void queue_snapshots(void)
{
    for (int station = 0; station < STATIONS; station++) {
        int mask = CAPS[station] & ~dead[station] & (READER | PRESSED | (scale.known ? COUNT : 0));
        Bytes b = stamped(mask, station);
        if (mask & READER)
            put_bytes(&b, &tags);
        if (mask & COUNT)
            put_weight(&b);
        if (mask & PRESSED)
            put(&b, button, 1);
        queue(SNAPSHOT, events_lost ? GAP : 0, &b);
        events_lost = false;
    }
    snapshots_owed = false;
}

static void say_hello(void)
{
    Bytes b = {0, {0}};
    put(&b, 1, 1); /* version 1.0 of the protocol, then 0.1.0 of this program */
    put(&b, 0, 1);
    put(&b, 0x000100, 3);
    put(&b, 0xC0DE0C99u, 4);
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
        put(&b, dead[station], 1);
    }
    send_frame(HELLO, 0, 0, &b);
    next_hello = now + HELLO_EVERY;
}

/* Frames in ------------------------------------------------------------------------------------------------ */

static void result(int seq, int op, bool ok, const char *text)
{
    Bytes b = {0, {0}};
    put(&b, (uint64_t)seq, 1);
    put(&b, (uint64_t)op, 1);
    put(&b, ok, 1);
    put_block(&b, text, strlen(text));
    queue(RESULT, 0, &b);
}

static void selftest(int seq, int station, const uint8_t *arguments, int n)
{
    char text[120] = "";
    bool ok = true;
    for (int i = 0, part = 0; i < PART_COUNT; i++) {
        bool answers = !(dead[PARTS[i].station] & PARTS[i].capability);
        if (station == ALL && !answers) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", PARTS[i].name);
            ok = false;
        }
        if (station == PARTS[i].station && n > 0 && part++ == arguments[0]) {
            snprintf(text, sizeof text, "%s: %d", PARTS[i].name, PARTS[i].capability == COUNT ? scale.counts : answers);
            ok = answers;
        }
    }
    result(seq, 4, ok, text);
}

static void command(int seq, const uint8_t *at, int n)
{
    int op = n > 0 ? at[0] : 0, station = n > 1 ? at[1] : ALL;
    if (op == 1 && n >= 5 && (station == BED || station == ALL)) {
        printf("lamp %d %d %d\n", at[2], at[3], at[4]);
        result(seq, op, true, "");
    } else if (op == 2 && n >= 6) {
        printf("beep %d %d\n", (int)number(at + 2, 2), (int)number(at + 4, 2));
        result(seq, op, true, "");
    } else if (op == 3 && (station == BED || station == ALL)) {
        scale.zero_wanted = true;
        result(seq, op, true, "");
    } else if (op == 4) {
        selftest(seq, station, at + 2, n - 2);
    } else if (op == 5) {
        snapshots_owed = true;
        result(seq, op, true, "");
    } else {
        result(seq, op, false, "this board cannot do that");
    }
}

static void configure(int seq, const uint8_t *at, int n)
{
    int key = n > 0 ? at[0] : 0;
    int32_t value = n >= 6 ? (int32_t)number(at + 2, 4) : 0;
    bool ok = n >= 6 && (at[1] == BED || at[1] == ALL) && key >= 1 && key <= 5 && (key != 4 || value > 0);
    if (ok && key == 1)
        weight_samples = value != 0;
    if (ok && key == 2)
        scale.step = value;
    if (ok && key == 3)
        scale.band = value;
    if (ok && key == 4)
        scale.per_gram = value;
    if (ok && key == 5) {
        scale.zero = value;
        scale.zero_known = true;
        scale.zero_wanted = false;
    }
    scale.report |= ok && key >= 4;
    result(seq, key, ok, ok ? "" : "this board has no such setting");
}

static void identify(const uint8_t *at, int n)
{
    if (n < 7 || !number(at + 2, 4))
        return;
    if (at[0] == 1 && number(at + 2, 4) != session) {
        session = (uint32_t)number(at + 2, 4);
        ring.base = (uint8_t)(ring.base + ring.flown);
        ring.first = ring.count = ring.flown = 0;
        theirs.expected = at[6];
        theirs.any = theirs.owed = events_lost = false;
        say_hello();
        queue_snapshots();
    } else {
        say_hello();
    }
    ring.next = 0;
    ring.wait = RESEND;
    ring.due = now + ring.wait;
}

static void pong(const uint8_t *at, int n)
{
    Bytes b = {0, {0}};
    if (n < 8)
        return;
    memcpy(b.at, at, 8);
    b.n = 8;
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
    if (inbox.n && length < 0)
        inbox.bad++;
    inbox.n = 0;
    inbox.too_long = false;
    if (length >= 0)
        take(frame, length);
}

/* The world ------------------------------------------------------------------------------------------------ */

static void weigh(void)
{
    if (!scale.loaded || now < next_weighing)
        return;
    next_weighing = now + 50 * MS;
    int32_t counts = EMPTY_CELL + scale.load * COUNTS_PER_GRAM / 10;
    bool rests = scale.read && abs(counts - scale.counts) <= scale.band * scale.per_gram / 10;
    scale.counts = counts;
    scale.read = true;
    if (weight_samples && session) {
        Bytes b = stamped(2, BED);
        put(&b, (uint64_t)counts, 4);
        send_frame(SAMPLE, 0, 0, &b);
    }
    if (!rests)
        return;
    if (scale.zero_wanted) {
        scale.zero = counts;
        scale.zero_wanted = false;
        scale.report = true;
    }
    int32_t tenths = (int32_t)((int64_t)(counts - scale.zero) * 10 / scale.per_gram);
    if (scale.known && !scale.report && abs(tenths - scale.tenths) < scale.step)
        return;
    Bytes data = {0, {0}};
    scale.tenths = tenths;
    scale.mean = counts;
    scale.known = true;
    scale.report = false;
    put_weight(&data);
    event(WEIGHT, BED, &data);
}

static void feel(void)
{
    bool any = false;
    if (now < next_texture)
        return;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        any |= pressures[i] != 0;
    next_texture = now + 50 * MS;
    for (int part = 0; (any || pressing) && session && part < 2; part++) {
        Bytes b = stamped(1, PAD);
        put(&b, texture_frame, 1);
        put(&b, (uint64_t)part, 1);
        put(&b, 2, 1);
        for (int i = 0; i < ROWS * COLUMNS / 2; i++)
            put(&b, pressures[part * ROWS * COLUMNS / 2 + i], 1);
        send_frame(SAMPLE, 0, 0, &b);
    }
    texture_frame++;
    pressing = any;
}

static void unhex(Bytes *b, const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        put(b, byte, 1);
}

static void world(char *line)
{
    char *word = strtok(line, " "), *uid;
    int v[4] = {0};
    if (word && !strcmp(word, "tag")) {
        tags = (Bytes){1, {0}};
        strtok(NULL, " ");
        while ((uid = strtok(NULL, " ")) && tags.at[0] < TAGS) {
            Bytes block = {0, {0}};
            unhex(&block, uid);
            put_block(&tags, block.at, (size_t)block.n);
            tags.at[0]++;
        }
        event(TAG, PAD, &tags);
        return;
    }
    for (int i = 0; i < 4 && (uid = strtok(NULL, " ")); i++)
        v[i] = atoi(uid);
    if (!word)
        return;
    if (!strcmp(word, "button")) {
        Bytes data = {1, {(uint8_t)(button = v[1])}};
        event(BUTTON, BED, &data);
    } else if (!strcmp(word, "weight")) {
        scale.loaded = true;
        scale.load = v[1];
    } else if (!strcmp(word, "press")) {
        pressures[(v[1] * COLUMNS + v[2]) % (ROWS * COLUMNS)] = (uint8_t)v[3];
    } else if (!strcmp(word, "release")) {
        memset(pressures, 0, sizeof pressures);
    } else if (!strcmp(word, "dead")) {
        dead[v[0] % STATIONS] = (uint8_t)v[1];
    } else if (!strcmp(word, "quiet")) {
        deaf_until = now + (uint64_t)v[0] * 1000 * MS;
    }
}

/* The program ---------------------------------------------------------------------------------------------- */

static uint64_t clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void read_world(void)
{
    static char line[1024];
    static size_t n;
    ssize_t got = read(STDIN_FILENO, line + n, sizeof line - 1 - n);
    if (got <= 0)
        exit(0);
    n += (size_t)got;
    for (char *end; (end = memchr(line, '\n', n));) {
        size_t used = (size_t)(end - line) + 1;
        *end = 0;
        world(line);
        memmove(line, line + used, n -= used);
    }
    if (n == sizeof line - 1)
        n = 0;
}

static void step(void)
{
    struct pollfd in[2] = {{STDIN_FILENO, POLLIN, 0}, {now < deaf_until ? -1 : port, POLLIN, 0}};
    uint8_t bytes[256];
    poll(in, 2, 5);
    now = clock_us() - started;
    if (in[0].revents)
        read_world();
    ssize_t got = in[1].revents & POLLIN ? read(port, bytes, sizeof bytes) : 0;
    for (ssize_t i = 0; i < got; i++)
        receive(bytes[i]);
    if (in[1].revents & POLLHUP && got <= 0)
        nanosleep(&(struct timespec){0, 5000000}, NULL); /* no host: poll() would not wait */
    bool silent = now - heard > SILENT;
    if (!session && now >= next_hello)
        say_hello();
    if (snapshots_owed && RING - ring.count >= STATIONS)
        queue_snapshots();
    weigh();
    if (!silent) {
        feel();
        pump();
        if (session && (theirs.owed || inbox.consumed - inbox.credited >= 128)) {
            Bytes b = {0, {0}};
            put(&b, inbox.consumed, 4);
            send_frame(CREDIT, 0, 0, &b);
            inbox.credited = inbox.consumed;
            theirs.owed = false;
        }
    }
    ssize_t put_out = outbox.n ? write(port, outbox.bytes, (size_t)outbox.n) : 0;
    if (put_out < 0 && errno != EAGAIN)
        put_out = outbox.n;
    if (put_out > 0)
        memmove(outbox.bytes, outbox.bytes + put_out, (size_t)(outbox.n -= (int)put_out));
}

static int translate(bool encoding)
{
    static char line[2048], hex[2048];
    uint8_t out[CHUNK + 2], frame[CHUNK];
    int type, flags, seq, ack, n = 0;
    while (fgets(line, sizeof line, stdin)) {
        Bytes payload = {0, {0}};
        if (encoding) {
            if (sscanf(line, "%d %d %d %d %2047s", &type, &flags, &seq, &ack, hex) != 5)
                return 2;
            unhex(&payload, hex);
            n = encode(out, type, flags, seq, ack, &payload);
            for (int i = 0; i < n; i++)
                printf("%02x", out[i]);
        } else {
            uint8_t chunk[CHUNK];
            unsigned byte;
            n = 0;
            for (const char *at = line; sscanf(at, "%2x", &byte) == 1; at += 2)
                if (byte && n < CHUNK)
                    chunk[n++] = (uint8_t)byte;
            n = decode(chunk, n, frame);
            if (n >= 0)
                printf("%d %d %d %d ", frame[0], frame[1], frame[2], frame[3]);
            for (int i = 4; i < n; i++)
                printf("%02x", frame[i]);
            printf(n <= 4 ? "-" : "");
        }
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && (!strcmp(argv[1], "encode") || !strcmp(argv[1], "decode")))
        return translate(argv[1][0] == 'e');
    if (argc != 2) {
        fprintf(stderr, "usage: board PORT | encode | decode\n");
        return 2;
    }
    char *end;
    port = (int)strtol(argv[1], &end, 10);
    if (*end)
        port = open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK);
    struct termios mode;
    FILE *chance = fopen("/dev/urandom", "rb");
    if (port < 0 || tcgetattr(port, &mode) || !chance || !fread(&boot_id, sizeof boot_id, 1, chance)) {
        perror(argv[1]);
        return 1;
    }
    fclose(chance);
    cfmakeraw(&mode);
    tcsetattr(port, TCSANOW, &mode);
    fcntl(port, F_SETFL, fcntl(port, F_GETFL) | O_NONBLOCK);
    setvbuf(stdout, NULL, _IOLBF, 0);
    ring.wait = RESEND;
    started = clock_us();
    for (;;)
        step();
}
