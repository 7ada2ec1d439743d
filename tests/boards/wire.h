/* Frames of docs/protocol.md: little-endian numbers, CRC-32 and COBS. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HELLO = 1, IDENT, PING, PONG, CREDIT, CONFIG, EVENT, SNAPSHOT, SAMPLE, CMD, RESULT, LOG, EXIT };
enum { SEQ = 1, ACK = 2, GAP = 4 };
enum { TAG = 1, WEIGHT, TOUCH, BUTTON, PART };
enum { READER = 1, TEXTURE = 2, COUNT = 4, TOUCHED = 8, PRESSED = 16, LAMP = 32 };
enum { LAMP_OP = 1, BEEP_OP, ZERO_OP, SELFTEST_OP, SNAPSHOT_OP };
enum { SAMPLES_KEY = 1, STEP_KEY, BAND_KEY, SCALE_KEY, ZERO_KEY };
enum { PAYLOAD = 200, FRAME = PAYLOAD + 8, CHUNK = FRAME + 1, ENCODED = CHUNK + 2, ALL = 0xFF };

typedef struct { int n; uint8_t at[PAYLOAD]; } Bytes;

static void put(Bytes *b, uint64_t value, int bytes)
{
    for (; bytes-- > 0 && b->n < PAYLOAD; value >>= 8)
        b->at[b->n++] = (uint8_t)value;
}

static void put_bytes(Bytes *b, const void *from, size_t n)
{
    if (b->n + n > PAYLOAD)
        n = (size_t)(PAYLOAD - b->n);
    memcpy(b->at + b->n, from, n);
    b->n += (int)n;
}

static void put_block(Bytes *b, const void *from, size_t n)
{
    put(b, n, 1);
    put_bytes(b, from, n);
}

static void put_hex(Bytes *b, const char *hex)
{
    for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        put(b, byte, 1);
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

/* Writes zero, COBS, zero; returns their length, at most ENCODED. */
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
        if (frame[i]) {
            out[length++] = frame[i];
        } else {
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
        if (code == 0 || at + code - 1 > n)
            return -1;
        memcpy(frame + length, chunk + at, (size_t)code - 1);
        length += code - 1;
        at += code - 1;
        if (at < n)
            frame[length++] = 0;
    }
    return length >= 8 && crc32(frame, length - 4) == number(frame + length - 4, 4) ? length - 4 : -1;
}

/* "type flags seq ack payload" from stdin to frames in hexadecimal, one a line. */
static int encode_lines(void)
{
    static char line[2048], hex[2048];
    for (int type, flags, seq, ack; fgets(line, sizeof line, stdin);) {
        Bytes payload = {0, {0}};
        uint8_t out[ENCODED];
        if (sscanf(line, "%d %d %d %d %2047s", &type, &flags, &seq, &ack, hex) != 5)
            return 2;
        put_hex(&payload, hex);
        int n = encode(out, type, flags, seq, ack, &payload);
        for (int i = 0; i < n; i++)
            printf("%02x", out[i]);
        printf("\n");
    }
    return 0;
}

/* The way back; "damaged" for whatever is no frame. */
static int decode_lines(void)
{
    static char line[2048];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t chunk[CHUNK], frame[CHUNK];
        int n = 0;
        unsigned byte;
        for (const char *at = line; sscanf(at, "%2x", &byte) == 1; at += 2)
            if (byte && n < CHUNK)
                chunk[n++] = (uint8_t)byte;
        n = decode(chunk, n, frame);
        if (n < 0)
            printf("damaged");
        else
            printf("%d %d %d %d %s", frame[0], frame[1], frame[2], frame[3], n == 4 ? "-" : "");
        for (int i = 4; i < n; i++)
            printf("%02x", frame[i]);
        printf("\n");
    }
    return 0;
}

#endif
