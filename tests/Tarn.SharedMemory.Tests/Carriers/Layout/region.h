/* A client of Tarn's shared memory in C, by docs/shared-memory-layout.md alone.
   This part is common to all kinds: files, roles, sleeping and waking. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum { RING = 1, QUEUE = 2, TOPIC = 4 };
typedef struct { int file; uint8_t *data; int64_t size, capacity, slot; int32_t longest; uint64_t member; uint32_t returns; } region;

static void fail(const char *why) { fprintf(stderr, "%s\n", why); exit(2); }
static _Atomic uint64_t *word(region *r, int64_t at) { return (_Atomic uint64_t *)(r->data + at); }
static _Atomic uint32_t *half(region *r, int64_t at) { return (_Atomic uint32_t *)(r->data + at); }

/* The process: its id, and when it started. */
static uint64_t self(void) {
    char stat[2048];
    FILE *file = fopen("/proc/self/stat", "r");
    stat[fread(stat, 1, sizeof stat - 1, file)] = 0;
    fclose(file);
    char *field = strrchr(stat, ')') + 2;
    for (int i = 0; i < 19; i++) field = strchr(field, ' ') + 1;
    return (uint64_t)getpid() << 32 | (uint32_t)strtoull(field, 0, 10);
}

/* A role: a lock on a byte behind the file, which goes with the process, and a word that names the process. */
static int take_role(region *r, int seat, int64_t at) {
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (1L << 62) + seat, .l_len = 1 };
    if (fcntl(r->file, F_OFD_SETLK, &lock)) return 0;
    atomic_store(word(r, at), self());
    return 1;
}

static void leave_role(region *r, int seat, int64_t at) {
    struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = (1L << 62) + seat, .l_len = 1 };
    atomic_fetch_or(word(r, at), 1UL << 63);
    fcntl(r->file, F_OFD_SETLK, &lock);
}

static region map(const char *path, uint32_t kind) {
    region r = { .file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) };
    struct stat stat;
    uint8_t head[80];
    if (r.file < 0 || fstat(r.file, &stat) || pread(r.file, head, 80, 0) != 80) fail("it cannot be opened");
    if (memcmp(head, "TARNSHM", 8) || *(uint32_t *)(head + 8) != 2 || *(uint32_t *)(head + 12) != kind) fail("it is another thing");
    r.size = *(int64_t *)(head + 16);
    if (r.size <= 0 || stat.st_size != 4096 + r.size || *(uint32_t *)(head + 36) != 1) fail("it is damaged or has no seats");
    uint64_t device = (uint64_t)major(stat.st_dev) << 32 | minor(stat.st_dev);
    if (*(uint64_t *)(head + 56) != device || *(uint64_t *)(head + 64) != stat.st_ino) fail("it is another kernel's");
    r.longest = *(int32_t *)(head + 76);
    uint8_t *all = mmap(0, 4096 + r.size, PROT_READ | PROT_WRITE, MAP_SHARED, r.file, 0);
    if (all == MAP_FAILED) fail("it cannot be mapped");
    r.data = all + 4096;
    return r;
}

static void wake(region *r, int64_t sleeper) {
    if (atomic_load(half(r, sleeper + 4)) == 0) return;
    atomic_store(half(r, sleeper + 4), 0);
    atomic_fetch_add(half(r, sleeper), 1);
    syscall(SYS_futex, half(r, sleeper), FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

/* Waits at most a tenth of a second, unless the condition holds when the note is written. */
#define SLEEP_UNLESS(r, sleeper, condition) do { \
    uint32_t noted = atomic_load(half(r, sleeper)); \
    struct timespec most = { 0, 100000000 }; \
    atomic_exchange(half(r, (sleeper) + 4), 1); \
    if (!(condition)) syscall(SYS_futex, half(r, sleeper), FUTEX_WAIT, noted, &most, 0, 0); } while (0)

/* Reads messages, adds 1 to each byte, and writes them. */
static void echo(region *in, region *out, long count, int32_t (*read)(region *, uint8_t *),
                 void (*write)(region *, const uint8_t *, int32_t)) {
    for (uint8_t *message = malloc(1 << 28); count > 0; count--) {
        int32_t length = read(in, message);
        for (int32_t i = 0; i < length; i++) message[i]++;
        write(out, message, length);
    }
}
