// Passwords: slow to hash by design, so only a few are hashed at once.

export const passwordCharactersMin = 8;
export const passwordCharactersMax = 256;

const hashesMax = 4;
let running = 0;
const queue: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return limited(() =>
    Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 }),
  );
}

export function isPassword(password: string, hash: string): Promise<boolean> {
  return limited(() => Bun.password.verify(password, hash));
}

export function isPasswordLength(password: string): boolean {
  return password.length >= passwordCharactersMin && password.length <= passwordCharactersMax;
}

async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= hashesMax) await new Promise<void>((resolve) => queue.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // The place is handed on rather than given back, so no newcomer can slip in between.
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}
