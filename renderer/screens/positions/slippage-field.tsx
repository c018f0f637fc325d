/** Form part of all orders on a position: max slippage. */
import { TextField, type TextFieldProps } from '../../components/text-field.tsx';

export function SlippageField(field: Omit<TextFieldProps, 'label'>) {
  return <TextField {...field} label="Max slippage" help="Furthest from the mark price. Empty: 1 %" />;
}
