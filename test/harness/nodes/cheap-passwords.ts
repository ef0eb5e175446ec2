// The runtime's hash of passwords, at a price for tests. A hash names its own cost, so whoever checks
// one knows no difference; src/admin/passwords.test.ts has the price that a gateway pays.
const hash = Bun.password.hash.bind(Bun.password);
const cheap = { algorithm: "argon2id", memoryCost: 64, timeCost: 1 } as const;

/** Every account of a test has a password, and every gateway a root: tens of milliseconds each. */
export function hashCheaply(): void {
  Bun.password.hash = (password, options) => hash(password, isDear(options) ? cheap : options);
}

function isDear(options: Parameters<typeof hash>[1]): boolean {
  return typeof options === "object" && options.algorithm === "argon2id";
}
