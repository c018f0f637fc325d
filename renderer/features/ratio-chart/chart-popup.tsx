/** Popup that a button over a chart opens. */
import type { ReactNode } from 'react';
import { ButtonPopup, type ButtonPopupProps } from '../../components/button-popup.tsx';
import css from './chart-popup.module.css';

export type ChartPopupProps = ButtonPopupProps;

export function ChartPopup(
  popup: ChartPopupProps & {
    readonly title: string;
    /** Called on close; true: something else has the focus then and keeps it. */
    readonly keepsFocus?: () => boolean;
    readonly children: ReactNode;
  },
) {
  return <ButtonPopup {...popup} className={css['popup']} align="end" />;
}
