/** How often an attack is repeated: `npm run chaos` asks for the long form. */
export function rounds(short: number, long: number): number {
  return process.env.ROLLBED_CHAOS === 'long' ? long : short
}
