/** Variables that have programs put their files there; it ends with this process. */
export function testFolder(): Readonly<Record<string, string>>;
