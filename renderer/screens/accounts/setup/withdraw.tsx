/** Withdraws USDC at once: the gateway prepares it, the owner's wallet signs the shown text, the venue pays. */
import { useState } from 'react';
import type { Answer } from '../../../../gateway/client/client.ts';
import { prepareFastWithdraw, submitFastWithdraw } from '../../../../gateway/contract/exchange-setup.ts';
import { ModeBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Facts } from '../../../components/facts.tsx';
import layout from '../../../components/layout.module.css';
import { TextField } from '../../../components/text-field.tsx';
import { Countdown } from '../../../components/time.tsx';
import { say } from '../../../components/toast.tsx';
import { FormDialog } from '../../../features/form-dialog/form-dialog.tsx';
import { useFormSend } from '../../../features/form-dialog/use-form-send.ts';
import { useFreshSession } from '../../../features/fresh-session/use-fresh-session.tsx';
import { addressOf, findWallet, signText, type Wallet } from '../../../features/wallet/wallet.ts';
import type { AccountDialogProps } from '../credentials.tsx';
import { atVenue, clientOf } from './use-setup.ts';

type Prepared = Answer<'POST /misc/exchange/prepare-fast-withdraw'>;

const SIGN = 'sign';
const WITHIN_MS = 10 * 60_000;

export function Withdraw({ account, onClose }: AccountDialogProps) {
  const [prepared, setPrepared] = useState<(Prepared & { readonly until: number }) | null>(null);
  return prepared === null ? (
    <Prepare
      account={account}
      onClose={onClose}
      onPrepared={(made) => setPrepared({ ...made, until: Date.now() + WITHIN_MS })}
    />
  ) : (
    <Sign account={account} onClose={onClose} prepared={prepared} onBack={() => setPrepared(null)} />
  );
}

function Prepare({
  account,
  onClose,
  onPrepared,
}: AccountDialogProps & { readonly onPrepared: (made: Prepared) => void }) {
  const [amount, setAmount] = useState('');
  const [toAddress, setToAddress] = useState('');
  const fresh = useFreshSession();
  const sending = useFormSend(/^(amount|toAddress)$/, { settles: false });
  const submit = async () => {
    const body = {
      ...atVenue(account),
      amount,
      ...(toAddress.trim() === '' ? {} : { toAddress: toAddress.trim() }),
    };
    await sending.send(prepareFastWithdraw.body, body, async () => {
      if (!(await fresh.prove())) return;
      onPrepared(await clientOf(account).call('POST /misc/exchange/prepare-fast-withdraw', { body }));
    });
    // The dialog stays open: the user reads the text before the wallet signs it.
    return false;
  };
  return (
    <FormDialog
      title={
        <>
          Withdraw from <bdi>{account.alias}</bdi>
        </>
      }
      sending={sending}
      canSend={fresh.isKnown}
      confirm="Continue"
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <ModeBadge mode={account.mode} network={account.network} /> USDC is paid out at once from the venue's
        pool. The fee comes on top. Nothing moves before the owner's wallet has signed.
      </p>
      <TextField
        label="Amount, USDC"
        numeric
        value={amount}
        onChange={setAmount}
        error={sending.errors('amount')}
      />
      <TextField
        label="Pay to (empty: the wallet that owns the account)"
        placeholder="0x…"
        value={toAddress}
        onChange={setToAddress}
        error={sending.errors('toAddress')}
      />
      {fresh.field}
      <p className={layout['quiet']}>
        Withdraw while nothing trades: an order of the same key that goes out while the wallet signs overtakes
        what was prepared.
      </p>
    </FormDialog>
  );
}

function Sign({
  account,
  onClose,
  prepared,
  onBack,
}: AccountDialogProps & {
  readonly prepared: Prepared & { readonly until: number };
  readonly onBack: () => void;
}) {
  const { amount, fee, toAddress, txInfo, messageToSign, until } = prepared;
  const wallet = findWallet();
  const [typed, setTyped] = useState('');
  // A wallet's signature has no field, so a wrong signer is reported for the whole form.
  const sending = useFormSend(wallet === null ? /^signature$/ : /^$/, { settles: false });
  const send = (signature: string) => {
    const body = { txInfo, toAddress, amount, signature };
    return sending.send(submitFastWithdraw.body, body, async () => {
      const { status } = await clientOf(account).call('POST /misc/exchange/submit-fast-withdraw', { body });
      say(status === 'executed' ? `${amount} USDC are paid out` : `The venue has taken it: ${amount} USDC`, {
        kind: 'success',
        account,
      });
    });
  };
  const submit = async () => {
    if (wallet === null) return send(typed.trim());
    let signature = '';
    const isSigned = await sending.send(
      submitFastWithdraw.body.pick({ txInfo: true }),
      { txInfo },
      async () => {
        signature = await signedBy(wallet, messageToSign);
      },
    );
    return isSigned && send(signature);
  };
  return (
    <FormDialog
      title="What the wallet is going to sign"
      sending={sending}
      danger
      confirm={wallet === null ? 'Withdraw' : 'Sign and withdraw'}
      back={<Button onClick={onBack}>Back</Button>}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <ModeBadge mode={account.mode} network={account.network} /> Check the address: a withdrawal cannot be
        undone. It can be signed for another <Countdown to={until} over="moment: go back" />.
      </p>
      <Facts
        label="What is paid"
        of={{ Amount: `${amount} USDC`, Fee: `${fee} USDC on top`, To: <code>{toAddress}</code> }}
      />
      {wallet === null && (
        <>
          <CodeBlock label="Text to sign" text={messageToSign} copyLabel="Copy the text" />
          <TextField
            label="Signature of the owner's wallet (personal_sign)"
            placeholder="0x…"
            value={typed}
            onChange={setTyped}
            error={sending.errors('signature')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** @throws WalletRefused */
async function signedBy(wallet: Wallet, message: string): Promise<string> {
  return signText(wallet, SIGN, message, await addressOf(wallet, SIGN));
}
