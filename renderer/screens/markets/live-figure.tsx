/** A figure of an instrument, live. */
import { useLiveRow } from '../../api/live.ts';
import { useConnector } from '../../api/market.ts';
import { Amount, Apr, NoFigure, Percent, Quantity } from '../../components/amount.tsx';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';

export type LiveFigureName = 'price' | 'priceChange24h' | 'funding' | 'volume24h' | 'openInterest';

export function LiveFigure({
  connector,
  id,
  figure,
  tick,
  listed,
}: {
  readonly connector: string;
  readonly id: string;
  readonly figure: LiveFigureName;
  readonly tick: string | undefined;
  /** Value until the stream delivers one. */
  readonly listed?: string | null;
}) {
  const live = useLiveRow(`baskets:${connector}`, id);
  const value = live === undefined ? listed : live[figure];
  switch (figure) {
    case 'price':
      return <Quantity value={value} step={tick} />;
    case 'priceChange24h':
      return <Percent value={value} pnl />;
    case 'funding':
      return <LongFunding rate={value} />;
    case 'volume24h':
    case 'openInterest':
      return <Amount value={value} compact />;
  }
}

/** Yearly funding that a long receives at this rate. As for pairs, a payment is negative. */
function LongFunding({ rate }: { readonly rate: string | null | undefined }) {
  const hours = useConnector()?.fundingIntervalHours;
  if (rate == null || hours === undefined) return <NoFigure />;
  return <Apr value={fundingApr(rate, hours, 'BUY')} />;
}
