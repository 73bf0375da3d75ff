// The one setting of SQLite that Swift cannot reach, because the function takes any number of arguments.
#pragma once

// SQLite shall not count how much memory it uses: it would take a lock for the whole process each time it allocates,
// and a thread that reads one object waited up to 40 ms for one that wrote many. Nothing happens where SQLite is in use
// already.
void store_sqlite_count_no_memory(void);
