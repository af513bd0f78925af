/* topic IN OUT COUNT: reads messages from the topic in one file as a reader that holds the writer back, and writes them to another. */
#include "region.h"

enum { HEADER = 8960, TAIL = 128, LIMIT = 256, HOLDERS = 384, DATA = 512, SPACE = 640, ROLES = 768, POSITIONS = 1280, MEMBERS = 60 };

/* What this process knows of a topic that it reads or writes. */
static int64_t read_position, write_position, write_limit;

static int64_t step(int64_t capacity) { return capacity < 32 ? 1 : capacity / 16; }
static int64_t slots(region *r) { return r->capacity + step(r->capacity); }
static uint8_t *slot(region *r, int64_t position) { return r->data + HEADER + position % slots(r) * r->slot; }
static int64_t position_at(int64_t member) { return POSITIONS + 128 * member; }
static int64_t role_at(int64_t member) { return ROLES + 8 * member; }

static region open_topic(const char *path) {
    region r = map(path, TOPIC);
    r.slot = (8 + r.longest + 7) & -8;
    for (r.capacity = 1; HEADER + slots(&r) * r.slot < r.size;) r.capacity++;
    if (r.longest <= 0 || HEADER + slots(&r) * r.slot != r.size) fail("no topic has this size");
    return r;
}

/* Joins as the first free member, at the oldest message that the writer is sure to keep. */
static region join_reader(const char *path) {
    region r = open_topic(path);
    while (!take_role(&r, 3 + r.member, role_at(r.member))) if (++r.member == MEMBERS) fail("the topic is full of members");
    int64_t tail = atomic_load(word(&r, TAIL));
    read_position = tail > r.capacity ? tail - r.capacity : 0;
    atomic_exchange(word(&r, position_at(r.member)), read_position);
    atomic_fetch_or(word(&r, HOLDERS), 1UL << r.member);
    int64_t first = (int64_t)atomic_load(word(&r, LIMIT)) - r.capacity;
    if (first > read_position) atomic_exchange(word(&r, position_at(r.member)), read_position = first);
    return r;
}

static int32_t topic_read(region *r, uint8_t *message) {
    while ((int64_t)atomic_load(word(r, TAIL)) <= read_position)
        SLEEP_UNLESS(r, DATA, (int64_t)atomic_load(word(r, TAIL)) > read_position);
    uint8_t *at = slot(r, read_position);
    int32_t length = *(volatile int32_t *)at;
    if (length >= 0 && length <= r->longest) memcpy(message, at + 8, length);
    atomic_thread_fence(memory_order_seq_cst);
    if ((int64_t)atomic_load(word(r, LIMIT)) - read_position > slots(r)) fail("the writer did not wait for this reader");
    if (length < 0 || length > r->longest) fail("the topic is damaged");
    atomic_exchange(word(r, position_at(r->member)), ++read_position);
    wake(r, SPACE);
    return length;
}

static void leave_reader(region *r) {
    atomic_fetch_and(word(r, HOLDERS), ~(1UL << r->member));
    wake(r, SPACE);
    leave_role(r, 3 + r->member, role_at(r->member));
}

static region join_writer(const char *path) {
    region r = open_topic(path);
    if (!take_role(&r, 1, 0)) fail("the role is taken");
    write_position = write_limit = atomic_load(word(&r, TAIL));
    return r;
}

/* Announces a step, if the last one is used up; returns how far the readers that hold this writer back let it write. */
static int64_t room(region *r) {
    if ((int64_t)atomic_load(word(r, LIMIT)) == write_position) atomic_exchange(word(r, LIMIT), write_position + step(r->capacity));
    int64_t last = write_position, limit = atomic_load(word(r, LIMIT));
    for (uint64_t member = 0, holders = atomic_load(word(r, HOLDERS)); member < 64; member++) {
        if (!(holders >> member & 1)) continue;
        int64_t position = member < MEMBERS ? (int64_t)atomic_load(word(r, position_at(member))) : INT64_MAX;
        if (position > write_position) fail("the topic is damaged");
        if (position < last) last = position;
    }
    return last + r->capacity < limit ? last + r->capacity : limit;
}

/* A reader whose process ended holds nobody back: whoever gets its seat clears its bit. */
static void look(region *r) {
    for (uint64_t member = 0; member < MEMBERS; member++) {
        if (!(atomic_load(word(r, HOLDERS)) >> member & 1) || !take_role(r, 3 + member, role_at(member))) continue;
        atomic_fetch_and(word(r, HOLDERS), ~(1UL << member));
        leave_role(r, 3 + member, role_at(member));
    }
}

static void topic_write(region *r, const uint8_t *message, int32_t length) {
    if (length > r->longest) fail("the message is too long");
    while (write_position >= write_limit && (write_limit = room(r)) <= write_position) {
        SLEEP_UNLESS(r, SPACE, room(r) > write_position);
        look(r);
    }
    memcpy(slot(r, write_position) + 8, message, length);
    *(int32_t *)slot(r, write_position) = length;
    atomic_exchange(word(r, TAIL), ++write_position);
    wake(r, DATA);
}

int main(int count, char **words) {
    if (count != 4) fail("topic IN OUT COUNT");
    region in = join_reader(words[1]), out = join_writer(words[2]);
    echo(&in, &out, atol(words[3]), topic_read, topic_write);
    leave_reader(&in);
    leave_role(&out, 1, 0);
    return 0;
}
