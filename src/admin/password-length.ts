// Bounds of a password's length. Apart from how it is hashed, which only the server can do.

export const passwordCharactersMin = 8;
export const passwordCharactersMax = 256;

export function isPasswordLength(password: string): boolean {
  return password.length >= passwordCharactersMin && password.length <= passwordCharactersMax;
}
