/** Form parts of all orders on a position: max slippage, and the policies for a failed leg. */
import { TextField, type TextFieldProps } from '../../components/text-field.tsx';

export const FAILURE_POLICIES = [
  { value: 'KEEP', label: 'Keep what filled' },
  { value: 'UNWIND', label: 'Unwind what filled' },
  { value: 'RETRY', label: 'Retry, then keep' },
] as const;

export function SlippageField(field: Omit<TextFieldProps, 'label'>) {
  return <TextField {...field} label="Max slippage" help="Furthest from the mark price. Empty: 1 %" />;
}
