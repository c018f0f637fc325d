/** The blocking client of the Python library, made from the asyncio client. */

/** Pattern in the asyncio client → its text in the blocking client, in this order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  // Attributes of the blocking client.
  [/\basync def (account_id|account_channel)\b/g, '@property\n    def $1'],
  [/\bawait self\.account_id\(\)/g, 'self.account_id'],
  [/\b(async|await) /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b_async/g, '_sync'],
  [/\b__a(iter|enter|exit)__/g, '__$1__'],
  [/\baclose\b/g, 'close'],
];

export const blocking = (text: string) =>
  REPLACEMENTS.reduce((made, [pattern, replacement]) => made.replace(pattern, replacement), text);
