/** Liquidation price from the venue. From ten times the mark on it is shown in words, with the price in the title. */
import { Price, useFigureTexts } from '../../features/instrument-figure/instrument-figure.tsx';
import { Far } from '../../features/liquidation/liquidation.tsx';

interface OfPrice {
  readonly symbol: string;
  readonly price: string;
}

export function LiquidationPrice({ isFar, symbol, price }: OfPrice & { readonly isFar: boolean }) {
  return isFar ? <FarAt symbol={symbol} price={price} /> : <Price isRounded symbol={symbol} value={price} />;
}

export function FarAt({ symbol, price }: OfPrice) {
  const texts = useFigureTexts();
  return <Far why={`At ${texts.price(symbol, price)}, every other price as it is`} />;
}
