#include "raw_store.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct raw_store {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *put, *update, *read;
};

static const char *const tables =
    "CREATE TABLE IF NOT EXISTS object ("
    "  row INTEGER PRIMARY KEY, id BLOB NOT NULL, queue INTEGER NOT NULL, type INTEGER NOT NULL,"
    "  revision INTEGER NOT NULL, newestBy INTEGER, createdBy BLOB, createdAt INTEGER,"
    "  updatedAt INTEGER, content BLOB NOT NULL, UNIQUE (id))";

static const char *const put =
    "INSERT INTO object (id, queue, type, revision, newestBy, createdBy, createdAt, updatedAt, content)"
    " VALUES (?1, 1, 1, ?2, ?3, ?4, ?3, ?3, ?5)"
    " ON CONFLICT (id) DO UPDATE SET type = excluded.type, revision = excluded.revision,"
    "   newestBy = excluded.newestBy, createdBy = excluded.createdBy, createdAt = excluded.createdAt,"
    "   updatedAt = excluded.updatedAt, content = excluded.content"
    " WHERE excluded.revision >= object.revision";

static int prepare(raw_store *store, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int prepare_all(raw_store *store, const char *settings) {
  int code = sqlite3_exec(store->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
  if (!code) code = sqlite3_exec(store->database, settings, NULL, NULL, NULL);
  if (!code) code = sqlite3_exec(store->database, tables, NULL, NULL, NULL);
  if (!code) code = prepare(store, "BEGIN IMMEDIATE", &store->begin);
  if (!code) code = prepare(store, "COMMIT", &store->commit);
  if (!code) code = prepare(store, put, &store->put);
  if (!code) code = prepare(store, "UPDATE object SET content = ? WHERE id = ? AND queue = 1", &store->update);
  if (!code) code = prepare(store, "SELECT content FROM object WHERE id = ? ORDER BY row LIMIT 1", &store->read);
  return code;
}

raw_store *raw_open(const char *path, const char *settings) {
  // As the store does; refused where SQLite is in use already.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  raw_store *store = calloc(1, sizeof *store);
  if (!store) return NULL;
  if (sqlite3_open(path, &store->database) || prepare_all(store, settings)) {
    raw_close(store);
    return NULL;
  }
  return store;
}

void raw_close(raw_store *store) {
  sqlite3_stmt *statements[] = {store->begin, store->commit, store->put, store->update, store->read};
  for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) sqlite3_finalize(statements[index]);
  sqlite3_close(store->database);
  free(store);
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_apply(raw_store *store, const raw_object *objects, long count) {
  int code = run(store->begin);
  for (long index = 0; index < count && !code; index++) {
    const raw_object *object = &objects[index];
    sqlite3_bind_blob(store->put, 1, object->id, sizeof object->id, SQLITE_STATIC);
    sqlite3_bind_int64(store->put, 2, object->revision);
    sqlite3_bind_int64(store->put, 3, object->newest_by);
    sqlite3_bind_blob(store->put, 4, object->created_by, sizeof object->created_by, SQLITE_STATIC);
    sqlite3_bind_blob(store->put, 5, object->content, object->count, SQLITE_STATIC);
    code = run(store->put);
  }
  return code ? code : run(store->commit);
}

int raw_update(raw_store *store, const unsigned char *id, const void *content, int count) {
  int code = run(store->begin);
  if (code) return code;
  sqlite3_bind_blob(store->update, 1, content, count, SQLITE_STATIC);
  sqlite3_bind_blob(store->update, 2, id, 16, SQLITE_STATIC);
  code = run(store->update);
  return code ? code : run(store->commit);
}

int raw_read(raw_store *store, const unsigned char *id, void *content, int *count) {
  sqlite3_bind_blob(store->read, 1, id, 16, SQLITE_STATIC);
  int code = sqlite3_step(store->read);
  if (code == SQLITE_ROW) {
    int size = sqlite3_column_bytes(store->read, 0);
    if (size > *count) size = *count;
    memcpy(content, sqlite3_column_blob(store->read, 0), (size_t)size);
    *count = size;
  }
  sqlite3_reset(store->read);
  return code == SQLITE_ROW ? SQLITE_OK : code == SQLITE_DONE ? SQLITE_NOTFOUND : code;
}

typedef struct {
  unsigned long long order;
  unsigned char id[16], hash[32];
} raw_key;

static int by_order(const void *left, const void *right) {
  const raw_key *a = left, *b = right;
  if (a->order != b->order) return a->order > b->order ? -1 : 1;
  return memcmp(a->id, b->id, 16);
}

static unsigned long long varint(const unsigned char **next, const unsigned char *end) {
  unsigned long long value = 0;
  for (int shift = 0; *next < end && shift < 64; shift += 7) {
    unsigned char byte = *(*next)++;
    value |= (unsigned long long)(byte & 127) << shift;
    if (byte < 128) break;
  }
  return value;
}

static void read_keys(raw_key *key, const unsigned char *next, const unsigned char *end, int order_tag, int file_tag) {
  while (next < end) {
    unsigned long long head = varint(&next, end);
    int tag = (int)(head >> 3);
    if ((head & 7) == 0) {
      unsigned long long value = varint(&next, end);
      if (tag == order_tag) key->order = value ^ 1ull << 63;
    } else if ((head & 7) == 1) {
      if (tag == order_tag && end - next >= 8) memcpy(&key->order, next, 8);
      next += 8;
    } else if ((head & 7) == 5) {
      next += 4;
    } else {
      unsigned long long count = varint(&next, end);
      if (count > (unsigned long long)(end - next)) return;
      // The hash is the first field of a file.
      if (tag == file_tag && count >= 34) memcpy(key->hash, next + 2, 32);
      next += count;
    }
  }
}

long raw_sorted_scan(const char *path, int order_tag, int file_tag) {
  sqlite3 *database;
  sqlite3_stmt *statement = NULL;
  raw_key *keys = NULL;
  long count = 0, room = 0;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) || sqlite3_busy_timeout(database, 5000) ||
      sqlite3_prepare_v2(database, "SELECT id, queue, content FROM object WHERE type > 0", -1, &statement, NULL)) {
    count = -1;
  }
  while (count >= 0 && sqlite3_step(statement) == SQLITE_ROW) {
    if (count == room) {
      room = room ? room * 2 : 1024;
      raw_key *more = realloc(keys, room * sizeof *keys);
      if (!more) {
        count = -1;
        break;
      }
      keys = more;
    }
    raw_key *key = keys + count++;
    memset(key, 0, sizeof *key);
    const unsigned char *content = sqlite3_column_blob(statement, 2);
    int size = sqlite3_column_bytes(statement, 2);
    memcpy(key->id, sqlite3_column_blob(statement, 0), 16);
    if (content) read_keys(key, content, content + size, order_tag, file_tag);
  }
  if (count > 0) qsort(keys, count, sizeof *keys, by_order);
  free(keys);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return count;
}
