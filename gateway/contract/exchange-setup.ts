/** Account set-up at the exchange venue. These routes answer 501 until a connector has the capability. */
import { z } from 'zod';
import { DOCS, decimal, isoTime, positiveDecimalInput, walletAddress, walletSignature } from './common.ts';
import { route, routesWith } from './route.ts';

const TAG = 'Exchange account set-up';
const NOT_YET = 'Answers 501 while no connector has this capability.';

const accountIndex = z.int().nonnegative();
const apiKeyIndex = z.int().min(4).max(254).register(DOCS, { description: '4 to 254' });
const txInfo = z
  .string()
  .min(1)
  .max(65_536)
  .register(DOCS, { description: 'Opaque; handed back as it came' });
const signature = walletSignature.meta({
  description: 'EIP-191 signature of the message by the owner of the account',
});
const messageToSign = z.string();
const txHash = z.string();
const signer = { accountIndex, apiKeyIndex } as const;

const common = { auth: 'K', tag: TAG, description: NOT_YET, errors: ['NOT_IMPLEMENTED_ERROR'] } as const;
const post = routesWith({ ...common, method: 'POST' });

export const createExchangeApiKey = post({
  path: '/misc/exchange/create-api-key',
  summary: "Generate a key pair and the message that the owner's wallet signs",
  body: z
    .strictObject({
      walletAddress: walletAddress.optional(),
      accountIndex: accountIndex.optional(),
      apiKeyIndex: apiKeyIndex.optional(),
    })
    .refine(
      (body) => (body.walletAddress === undefined) !== (body.accountIndex === undefined),
      'Exactly one of walletAddress and accountIndex is needed',
    ),
  success: {
    200: z.strictObject({
      ...signer,
      publicKey: z.string(),
      privateKey: z.string().register(DOCS, { description: 'Shown only here' }),
      txInfo,
      nonce: z.int().nonnegative(),
      expiresAt: isoTime,
      messageToSign,
    }),
  },
});

export const changeExchangePubKey = post({
  path: '/misc/exchange/change-pub-key',
  summary: 'Submit the signed transaction that registers the key',
  body: z.strictObject({ txInfo, signature }),
  success: { 200: z.strictObject({ txHash, ...signer, publicKey: z.string() }) },
});

export const prepareApproveIntegrator = route({
  ...common,
  method: 'POST',
  path: '/misc/exchange/prepare-approve-integrator',
  summary: 'Sign the approval of the integrator and get the message to sign',
  body: z.strictObject({ ...signer, approvalExpiry: z.iso.datetime({ offset: true }).optional() }),
  success: { 200: z.strictObject({ txInfo, messageToSign, expiresAt: isoTime }) },
  errors: ['NOT_IMPLEMENTED_ERROR', 'CONFIGURATION_ERROR'],
});

export const submitApproveIntegrator = post({
  path: '/misc/exchange/submit-approve-integrator',
  summary: 'Submit the signed approval',
  body: z.strictObject({ txInfo, signature }),
  success: { 200: z.strictObject({ txHash }) },
});

export const createExchangeAuthToken = post({
  path: '/misc/exchange/create-auth-token',
  summary: "Create a token for the venue's private API",
  body: z.strictObject({
    ...signer,
    deadline: z.iso
      .datetime({ offset: true })
      .optional()
      .register(DOCS, { description: 'At most 8 hours from now' }),
  }),
  success: { 200: z.strictObject({ token: z.string(), expiresAt: isoTime }) },
});

export const prepareFastWithdraw = post({
  path: '/misc/exchange/prepare-fast-withdraw',
  summary: "Sign a transfer to the venue's withdrawal pool and get the message to sign",
  body: z.strictObject({ ...signer, amount: positiveDecimalInput, toAddress: walletAddress.optional() }),
  success: {
    200: z.strictObject({
      poolAccountIndex: accountIndex,
      amount: decimal,
      fee: decimal,
      toAddress: walletAddress,
      txInfo,
      messageToSign,
    }),
  },
});

export const submitFastWithdraw = post({
  path: '/misc/exchange/submit-fast-withdraw',
  summary: 'Submit the signed fast withdrawal of USDC',
  body: z.strictObject({
    txInfo,
    signature,
    toAddress: walletAddress.meta({ description: 'Checked against the signed message' }),
  }),
  success: { 200: z.strictObject({ txHash, status: z.string() }) },
});

const tier = z.enum(['standard', 'plus', 'premium']);

export const changeAccountTier = route({
  ...common,
  method: 'POST',
  path: '/misc/exchange/change-account-tier',
  summary: 'Move the account to another tier',
  description: `Once per 24 hours, and only with no open orders or positions. ${NOT_YET}`,
  body: z.strictObject({ ...signer, tier }),
  success: { 200: z.strictObject({ tier, changedAt: isoTime, nextChangeAt: isoTime }) },
  errors: ['NOT_IMPLEMENTED_ERROR', 'NOOP_ERROR', 'RESOURCE_BUSY'],
});

export const listDepositAddresses = post({
  path: '/misc/exchange/uda',
  summary: 'One deposit address per chain family, all crediting the account of the wallet',
  body: z.strictObject({
    walletAddress,
    market: z.string().min(1).max(64).optional(),
    asset: z.string().min(1).max(64).optional(),
  }),
  success: {
    200: z.strictObject({
      walletAddress,
      addresses: z.array(z.strictObject({ chainFamily: z.string(), address: z.string() })),
    }),
  },
});

export const listDeposits = route({
  ...common,
  method: 'GET',
  path: '/misc/exchange/uda/:walletAddress',
  summary: 'Every deposit that the bridge has seen for the wallet',
  params: z.strictObject({ walletAddress }),
  success: {
    200: z.strictObject({
      walletAddress,
      deposits: z.array(
        z.strictObject({
          depositAddress: z.string(),
          fromChainId: z.string(),
          fromAmount: decimal,
          txHash,
          status: z.string(),
          createdAt: isoTime,
        }),
      ),
    }),
  },
});
