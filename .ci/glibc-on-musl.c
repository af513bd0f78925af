// What Debian's C++ library asks of glibc and musl lacks, so that programs for Alpine start on Debian's musl: .ci/musl builds it under the
// name of glibc's loader, which that library asks for, too.
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

char __libc_single_threaded = 0;

// Libgcc has these itself, hidden by a version, which musl's loader does not find.
struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;

int __cpu_indicator_init(void) { return 0; }

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, locale_t locale) {
  return strftime_l(text, size, format, time, locale);
}

unsigned arc4random(void) {
  unsigned number;
  if (getentropy(&number, sizeof number)) abort();
  return number;
}

int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) { return pthread_key_create(key, destroy); }

// Destructors of thread-local objects.
struct entry { struct entry *next; void (*destroy)(void *); void *object; };

static pthread_key_t entries;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void destroy_all(void *first) {
  for (struct entry *entry = first; entry;) {
    struct entry *next = entry->next;
    entry->destroy(entry->object);
    free(entry);
    entry = next;
  }
}

static void create_key(void) { if (pthread_key_create(&entries, destroy_all)) abort(); }

int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry) return -1;
  pthread_once(&once, create_key);
  *entry = (struct entry){pthread_getspecific(entries), destroy, object};
  return pthread_setspecific(entries, entry);
}

// Where the tables for exceptions are.
struct dl_find_object {
  unsigned long long flags;
  void *start, *end;
  struct link_map *map;
  void *tables;
  unsigned long long reserved[7];
};

struct search { ElfW(Addr) address; struct dl_find_object *result; int is_found; };

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  ElfW(Addr) least = -1, most = 0;
  void *tables = 0;
  int is_inside = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    ElfW(Addr) start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (part->p_type == PT_LOAD) {
      least = start < least ? start : least;
      most = end > most ? end : most;
      is_inside |= search->address >= start && search->address < end;
    } else if (part->p_type == PT_GNU_EH_FRAME) {
      tables = (void *)start;
    }
  }
  if (!is_inside || !tables) return 0;
  *search->result = (struct dl_find_object){.start = (void *)least, .end = (void *)most, .tables = tables};
  return search->is_found = 1;
}

int _dl_find_object(void *address, struct dl_find_object *result) {
  struct search search = {(ElfW(Addr))address, result, 0};
  dl_iterate_phdr(look, &search);
  return search.is_found ? 0 : -1;
}
