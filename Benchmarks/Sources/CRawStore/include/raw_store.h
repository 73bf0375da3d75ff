// What a store is measured against: the same rows, written and read by SQLite's functions and nothing else.
#pragma once

// One object of a delta.
typedef struct {
  unsigned char id[16];
  unsigned char created_by[16];
  long long revision;
  long long newest_by;
  const void *content;
  int count;
} raw_object;

typedef struct raw_store raw_store;

// Opens or makes a database with the table and index of the store, WAL and synchronous = FULL; `settings` are further
// pragmas. NULL where that fails.
raw_store *raw_open(const char *path, const char *settings);
void raw_close(raw_store *store);

// Each returns a result code of SQLite: 0 is success.

// Puts all objects there in one transaction, over older revisions of them.
int raw_apply(raw_store *store, const raw_object *objects, long count);

// Changes the content of one object in a transaction of its own.
int raw_update(raw_store *store, const unsigned char *id, const void *content, int count);

// Copies the content of one object to `content`, which has room for `*count` bytes; `*count` is then its size.
int raw_read(raw_store *store, const unsigned char *id, void *content, int *count);

// What a list of a store costs at least: reads the ids and contents of all rows of a store's database, finds in each the
// number with this tag and the hash inside the message with that tag, and sorts them by the number, descending.
// Returns how many there are, or -1.
long raw_sorted_scan(const char *path, int order_tag, int file_tag);
