// What every part of the page has to know of the device, to promise nothing that cannot come true.

export const standing = { isAlone: false, isOffline: false, uploads: 0 };
