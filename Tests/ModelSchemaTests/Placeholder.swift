// Placeholder until the first real code arrives; delete me.
