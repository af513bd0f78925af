/* ring IN OUT COUNT: reads messages from the ring in one file, and writes them to the ring in another. */
#include "region.h"

static int64_t record(int32_t length) { return 8 + ((length + 7) & -8); }

static int32_t ring_read(region *r, uint8_t *message) {
    int64_t position = atomic_load(word(r, 256));
    while (atomic_load(word(r, 128)) == position) SLEEP_UNLESS(r, 384, atomic_load(word(r, 128)) != position);
    int64_t written = atomic_load(word(r, 128)) - position;
    uint8_t *at = r->data + 1024 + (position & (r->capacity - 1));
    int32_t length = *(volatile int32_t *)at;
    if (written > r->capacity || length < 0 || length > r->capacity / 2 || record(length) > written) fail("the ring is damaged");
    memcpy(message, at + 8, length);
    atomic_exchange(word(r, 256), position + record(length));
    wake(r, 512);
    return length;
}

static void ring_write(region *r, const uint8_t *message, int32_t length) {
    int64_t position = atomic_load(word(r, 128)), end = position + record(length) - r->capacity;
    while ((int64_t)atomic_load(word(r, 256)) < end) SLEEP_UNLESS(r, 512, (int64_t)atomic_load(word(r, 256)) >= end);
    uint8_t *at = r->data + 1024 + (position & (r->capacity - 1));
    memcpy(at + 8, message, length);
    *(int32_t *)at = length;
    atomic_exchange(word(r, 128), position + record(length));
    wake(r, 384);
}

static region join(const char *path, int seat, int64_t at, int64_t count) {
    region r = map(path, RING);
    for (r.capacity = 64; 1024 + r.capacity + record(r.capacity / 2) < r.size;) r.capacity *= 2;
    if (1024 + r.capacity + record(r.capacity / 2) != r.size) fail("no ring has this size");
    if (!take_role(&r, seat, at)) fail("the role is taken");
    atomic_fetch_add(half(&r, count), 1);
    return r;
}

int main(int count, char **words) {
    if (count != 4) fail("ring IN OUT COUNT");
    region in = join(words[1], 2, 8, 24), out = join(words[2], 1, 0, 20);
    echo(&in, &out, atol(words[3]), ring_read, ring_write);
    leave_role(&in, 2, 8);
    wake(&in, 512);
    leave_role(&out, 1, 0);
    wake(&out, 384);
    return 0;
}
