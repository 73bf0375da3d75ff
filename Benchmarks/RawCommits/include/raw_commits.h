// What a server is measured against: the same transaction, by SQLite's functions and nothing else.
#pragma once

typedef struct raw_commits raw_commits;

// Opens the database of a server; NULL where that fails.
raw_commits *raw_commits_open(const char *path);
void raw_commits_close(raw_commits *commits);

// One commit of one mutation that makes one object, in a transaction of its own under synchronous = FULL: reads the
// queue, the member, the outcome, the object and its type; writes the object, the outcome and the queue. Ids have 16
// bytes. Returns a result code of SQLite: 0 is success.
int raw_commits_run(
    raw_commits *commits, const unsigned char *queue, const unsigned char *account, const unsigned char *operation,
    const unsigned char *object, const void *content, int count, long long time);
