// The first bytes of files, by which their types are known, in base64.

export const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\0", "latin1").toString("base64");
export const mp4 = Buffer.from("\0\0\0\x18ftypmp42", "latin1").toString("base64");
