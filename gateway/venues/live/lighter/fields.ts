/** Credentials that an account at Lighter needs, as a form asks for them. */
import type { CredentialField } from '../../../engine/ports/venue.ts';

export const credentialFields: CredentialField[] = [
  {
    name: 'accountIndex',
    label: 'Account index',
    kind: 'number',
    secret: false,
    required: true,
    hint: 'Number of the account or subaccount that trades, as app.lighter.xyz shows it',
  },
  {
    name: 'apiKeyIndex',
    label: 'API key index',
    kind: 'number',
    secret: false,
    required: true,
    hint: "4 to 254; those below belong to the venue's own programs. Give Tandem one that no other program uses",
  },
  {
    name: 'apiPrivateKey',
    label: 'API private key',
    kind: 'text',
    secret: true,
    required: true,
    hint: '80 hex digits, from app.lighter.xyz/apikeys. It can trade, and withdraw to your own wallet only. Never the key of the wallet itself',
  },
];
