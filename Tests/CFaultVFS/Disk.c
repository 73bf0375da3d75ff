// Files with two contents: what readers see, and what a power cut leaves.

#include "Disk.h"

#include <stdlib.h>
#include <string.h>

// A test that runs out of memory may stop; so nothing here checks malloc.

static void bytes_write(fault_bytes *bytes, int64_t offset, const void *data, int64_t count) {
  int64_t end = offset + count;
  if (end > bytes->capacity) {
    bytes->capacity = end * 2;
    bytes->data = realloc(bytes->data, (size_t)bytes->capacity);
  }
  if (offset > bytes->size) memset(bytes->data + bytes->size, 0, (size_t)(offset - bytes->size));
  memcpy(bytes->data + offset, data, (size_t)count);
  if (end > bytes->size) bytes->size = end;
}

static void bytes_truncate(fault_bytes *bytes, int64_t size) {
  if (size < bytes->size) bytes->size = size;
}

static void note(fault_file *file, fault_pending pending) {
  if (file->pending_count == file->pending_capacity) {
    file->pending_capacity = file->pending_capacity * 2 + 16;
    file->pending = realloc(file->pending, (size_t)file->pending_capacity * sizeof(fault_pending));
  }
  file->pending[file->pending_count++] = pending;
}

void fault_write(fault_file *file, int64_t offset, const void *data, int64_t count) {
  bytes_write(&file->current, offset, data, count);
  fault_pending pending = {offset, count, malloc((size_t)count)};
  memcpy(pending.data, data, (size_t)count);
  note(file, pending);
}

void fault_truncate(fault_file *file, int64_t size) {
  bytes_truncate(&file->current, size);
  note(file, (fault_pending){size, 0, NULL});
}

static void apply(fault_bytes *bytes, const fault_pending *pending) {
  if (pending->data) {
    bytes_write(bytes, pending->offset, pending->data, pending->count);
  } else {
    bytes_truncate(bytes, pending->offset);
  }
}

void fault_sync(fault_file *file) {
  for (int64_t i = 0; i < file->pending_count; i++) apply(&file->durable, &file->pending[i]);
  fault_abandon(file);
}

void fault_abandon(fault_file *file) {
  for (int64_t i = 0; i < file->pending_count; i++) free(file->pending[i].data);
  file->pending_count = 0;
}

void fault_sync_names(fault_disk *disk) {
  for (fault_file *file = disk->files; file; file = file->next) file->is_named_durably = file->is_named;
}

static fault_file *find(fault_file *files, const char *name) {
  for (fault_file *file = files; file; file = file->next) {
    if (file->is_named && strcmp(file->name, name) == 0) return file;
  }
  return NULL;
}

static fault_file *create(fault_file **files, const char *name) {
  fault_file *file = calloc(1, sizeof(fault_file));
  file->name = strdup(name);
  file->is_named = true;
  file->next = *files;
  *files = file;
  return file;
}

fault_file *fault_find(fault_disk *disk, const char *name) { return find(disk->files, name); }

fault_file *fault_create(fault_disk *disk, const char *name) { return create(&disk->files, name); }

// Frees files that nobody can reach: without a name now, without one after a power cut, and open nowhere.
void fault_forget_unused(fault_disk *disk) {
  fault_file **link = &disk->files;
  while (*link) {
    fault_file *file = *link;
    if (file->is_named || file->is_named_durably || file->handles) {
      link = &file->next;
      continue;
    }
    *link = file->next;
    fault_abandon(file);
    fault_unmap(file);
    free(file->pending);
    free(file->current.data);
    free(file->durable.data);
    free(file->name);
    free(file);
  }
}

// SplitMix64, as in Sources/Determinism.
uint64_t fault_random(uint64_t *state) {
  uint64_t mixed = (*state += 0x9E3779B97F4A7C15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

static fault_file_kind kind(const fault_file *file) {
  if (strstr(file->name, "-wal")) return FAULT_WAL;
  return strstr(file->name, "-journal") ? FAULT_JOURNAL : FAULT_DATABASE;
}

// Half of a write: either its beginning, or some of its sectors of 512 bytes, as a drive writes them in any order.
static void tear(fault_bytes *durable, const fault_pending *pending, uint64_t *random) {
  if (pending->count <= 512 || fault_random(random) % 2 == 0) {
    int64_t count = 1 + (int64_t)(fault_random(random) % (uint64_t)(pending->count - 1));
    bytes_write(durable, pending->offset, pending->data, count);
    return;
  }
  for (int64_t start = 0; start < pending->count;) {
    int64_t end = (pending->offset + start) / 512 * 512 + 512 - pending->offset;
    if (end > pending->count) end = pending->count;
    if (fault_random(random) % 2) bytes_write(durable, pending->offset + start, pending->data + start, end - start);
    start = end;
  }
}

// How a cut treats the writes of a file that were not synced, since each finds other mistakes: every write for itself,
// most of them whole, or whole in their order up to one.
enum { EACH, MOST, IN_ORDER, TEMPERS };

// Adds to `durable` what the power cut leaves of the writes that were not synced.
static void settle_writes(fault_disk *disk, const fault_file *file, fault_bytes *durable, uint64_t *random) {
  int temper = (int)(fault_random(random) % TEMPERS);
  int64_t first_lost = (int64_t)(fault_random(random) % (uint64_t)(file->pending_count + 1));
  for (int64_t i = 0; i < file->pending_count; i++) {
    const fault_pending *pending = &file->pending[i];
    fault_fate fate = (fault_fate)(fault_random(random) % 3);
    if (temper == MOST && fault_random(random) % 8 != 0) fate = FAULT_WHOLE;
    if (temper == IN_ORDER && i != first_lost) fate = i < first_lost ? FAULT_WHOLE : FAULT_LOST;
    if (fate == FAULT_TORN && pending->count < 2) fate = FAULT_LOST;
    if (fate == FAULT_WHOLE) apply(durable, pending);
    if (fate == FAULT_TORN) tear(durable, pending, random);
    disk->fates[kind(file)][fate]++;
  }
}

static bool settle_name(fault_disk *disk, const fault_file *file, uint64_t *random) {
  if (file->is_named == file->is_named_durably) return file->is_named;
  fault_fate fate = fault_random(random) % 2 ? FAULT_NAME_KEPT : FAULT_NAME_LOST;
  disk->fates[kind(file)][fate]++;
  return fate == FAULT_NAME_KEPT ? file->is_named : file->is_named_durably;
}

fault_file *fault_survivors(fault_disk *disk, uint64_t seed) {
  uint64_t random = seed;
  fault_file *survivors = NULL;
  for (fault_file *file = disk->files; file; file = file->next) {
    // Newer files come first: of two with one name, the newer one had taken the place of the older.
    if (!settle_name(disk, file, &random) || find(survivors, file->name)) continue;
    fault_file *survivor = create(&survivors, file->name);
    survivor->is_named_durably = true;
    if (file->durable.size) bytes_write(&survivor->durable, 0, file->durable.data, file->durable.size);
    settle_writes(disk, file, &survivor->durable, &random);
    if (survivor->durable.size) bytes_write(&survivor->current, 0, survivor->durable.data, survivor->durable.size);
  }
  return survivors;
}

// Whoever has a file open keeps the old one, which nobody else ever sees again.
void fault_cut(fault_disk *disk, uint64_t seed) {
  fault_file *survivors = fault_survivors(disk, seed), **end = &disk->files;
  for (fault_file *file = disk->files; file; file = file->next) file->is_named = file->is_named_durably = false;
  while (*end) end = &(*end)->next;
  *end = survivors;
  fault_forget_unused(disk);
  disk->is_off = true;
}

// Every file goes on under its name as a new one, so that whoever has the old one open, with its locks, keeps nothing.
void fault_kill(fault_disk *disk) {
  fault_file *heirs = NULL, **end = &heirs;
  for (fault_file *file = disk->files; file; file = file->next) {
    if (!file->is_named && !file->is_named_durably) continue;
    fault_file *heir = create(end, file->name);
    end = &heir->next;
    heir->current = file->current;
    heir->durable = file->durable;
    heir->pending = file->pending;
    heir->pending_count = file->pending_count;
    heir->pending_capacity = file->pending_capacity;
    heir->is_named = file->is_named;
    heir->is_named_durably = file->is_named_durably;
    file->current = file->durable = (fault_bytes){0};
    file->pending = NULL;
    file->pending_count = file->pending_capacity = 0;
    file->is_named = file->is_named_durably = false;
  }
  *end = disk->files;
  disk->files = heirs;
  fault_forget_unused(disk);
  disk->is_off = true;
}
