/** A figure of an instrument, live. */
import { useLiveRow } from '../../api/live.ts';
import { Amount, Percent, Quantity } from '../../components/amount.tsx';

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
      return <Percent value={value} digits={4} />;
    case 'volume24h':
    case 'openInterest':
      return <Amount value={value} compact />;
  }
}
