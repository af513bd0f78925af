/* queue IN OUT COUNT: reads messages from the queue in one file, and writes them to the queue in another. */
#include "region.h"

enum { FREE = 0, CLAIMED = 1, PUBLISHED = 2, TAKEN = 3, RETURNED = 4, SKIPPED = 5, MEMBERS = 60 };

static int64_t slot(region *r, int64_t position) { return 1536 + (position & (r->capacity - 1)) * r->slot; }
static uint64_t state(region *r, int64_t position, int kind, int turns) {
    uint64_t member = kind == CLAIMED || kind == TAKEN ? r->member : 0;
    return (uint64_t)(position / r->capacity + turns) << 9 | member << 3 | kind;
}
static int change(region *r, int64_t at, uint64_t from, uint64_t to) { return atomic_compare_exchange_strong(word(r, at), &from, to); }

/* Joins as the first free member, and ends what that member's predecessor left. */
static region join(const char *path) {
    region opened = map(path, QUEUE), *r = &opened;
    r->slot = (16 + r->longest + 63) & -64;
    r->capacity = (r->size - 1536) / r->slot;
    r->returns = atomic_load(half(r, 8)) - 1;
    while (!take_role(r, 3 + r->member, 640 + 8 * r->member)) if (++r->member == MEMBERS) fail("the queue is full of members");
    for (int64_t i = 0; i < r->capacity; i++) {
        uint64_t seen = atomic_load(word(r, slot(r, i)));
        int kind = seen & 7;
        if ((kind != CLAIMED && kind != TAKEN) || (seen >> 3 & 63) != r->member) continue;
        if (change(r, slot(r, i), seen, seen >> 9 << 9 | (kind == CLAIMED ? SKIPPED : RETURNED)))
            atomic_fetch_add(word(r, kind == CLAIMED ? 16 : 24), 1);
    }
    atomic_fetch_add(half(r, 8), 1);
    wake(r, 384);
    return opened;
}

/* Finds a message that was returned, else one at the head; passes over what was skipped or taken. */
static int64_t find(region *r, uint64_t *seen) {
    uint32_t returns = atomic_load(half(r, 8));
    for (int64_t i = 0, best = INT64_MAX; returns != r->returns && i <= r->capacity; i++) {
        if (i == r->capacity && best != INT64_MAX) { *seen = state(r, best, RETURNED, 0); return best; }
        uint64_t one = i < r->capacity ? atomic_load(word(r, slot(r, i))) : 0;
        int64_t position = (int64_t)(one >> 9) * r->capacity + i;
        if ((one & 7) == RETURNED && position < best) best = position;
    }
    r->returns = returns;
    while (1) {
        int64_t head = atomic_load(word(r, 256));
        *seen = atomic_load(word(r, slot(r, head)));
        if (*seen == state(r, head, PUBLISHED, 0)) return head;
        if (*seen >> 9 < state(r, head, 0, 0) >> 9 || *seen == state(r, head, FREE, 0)
            || (*seen >> 9 == state(r, head, 0, 0) >> 9 && (*seen & 7) == CLAIMED)) return -1;
        if (*seen == state(r, head, SKIPPED, 0) && change(r, slot(r, head), *seen, state(r, head, FREE, 1))) wake(r, 512);
        change(r, 256, head, head + 1);
    }
}

static int32_t queue_read(region *r, uint8_t *message) {
    uint64_t seen;
    while (1) {
        int64_t position = find(r, &seen);
        if (position < 0) SLEEP_UNLESS(r, 384, find(r, &seen) >= 0);
        else if (change(r, slot(r, position), seen, state(r, position, TAKEN, 0))) {
            if ((seen & 7) == PUBLISHED) change(r, 256, position, position + 1);
            int32_t length = *(volatile int32_t *)(r->data + slot(r, position) + 8);
            if (length < 0 || length > r->longest) fail("the queue is damaged");
            memcpy(message, r->data + slot(r, position) + 16, length);
            change(r, slot(r, position), state(r, position, TAKEN, 0), state(r, position, FREE, 1));
            wake(r, 512);
            return length;
        }
    }
}

static void queue_write(region *r, const uint8_t *message, int32_t length) {
    int64_t tail;
    while (1) {
        tail = atomic_load(word(r, 128));
        uint64_t seen = atomic_load(word(r, slot(r, tail)));
        if (seen >> 9 < state(r, tail, 0, 0) >> 9)
            SLEEP_UNLESS(r, 512, atomic_load(word(r, slot(r, tail))) >> 9 >= state(r, tail, 0, 0) >> 9);
        else {
            int is_mine = seen == state(r, tail, FREE, 0) && change(r, slot(r, tail), seen, state(r, tail, CLAIMED, 0));
            change(r, 128, tail, tail + (is_mine || seen != state(r, tail, FREE, 0)));
            if (is_mine) break;
        }
    }
    memcpy(r->data + slot(r, tail) + 16, message, length);
    *(int32_t *)(r->data + slot(r, tail) + 8) = length;
    change(r, slot(r, tail), state(r, tail, CLAIMED, 0), state(r, tail, PUBLISHED, 0));
    wake(r, 384);
}

int main(int count, char **words) {
    if (count != 4) fail("queue IN OUT COUNT");
    region in = join(words[1]), out = join(words[2]);
    echo(&in, &out, atol(words[3]), queue_read, queue_write);
    leave_role(&in, 3 + in.member, 640 + 8 * in.member);
    leave_role(&out, 3 + out.member, 640 + 8 * out.member);
    return 0;
}
