/** Credentials that an account at Hyperliquid needs, as a form asks for them. */
import type { CredentialField } from '../../../engine/ports/venue.ts';

export const credentialFields: CredentialField[] = [
  {
    name: 'accountAddress',
    label: 'Account address',
    kind: 'text',
    secret: false,
    required: true,
    hint: 'Address of the account that trades (0x and 40 hex digits), not of the agent',
  },
  {
    name: 'agentPrivateKey',
    label: 'Agent private key',
    kind: 'text',
    secret: true,
    required: true,
    hint: 'From app.hyperliquid.xyz/API. An agent (API wallet) can trade and cannot withdraw. Never the key of the account itself',
  },
];
