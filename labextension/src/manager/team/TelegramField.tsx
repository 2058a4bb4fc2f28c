import { useApp } from '../../chat/parts/context';
import { useSelect } from '../../chat/parts/hooks';
import { type Field } from '../../shared/manage/team/fields';
import type { TelegramForm, Value } from '../../shared/manage/team/values';
import { Radios } from './ChoiceField';
import { useField } from './editing';
import { labelOf } from './fieldWords';
import { Shell } from './Shell';

const NEW: TelegramForm = { token_env: 'TELEGRAM_BOT_TOKEN', chat_id: '', approval_ttl_seconds: '' };
const PARTS = ['token_env', 'chat_id', 'approval_ttl_seconds'] as const;

/** The chat of the master: the variable with the token, and the one chat that is heard (CHN-2). */
export function TelegramField({ field }: { field: Field }): JSX.Element {
  const app = useApp();
  const { t } = app;
  const one = useField(field.key);
  const form = telegram(one.value);
  const state = useSelect(app.agents, all => all.connections?.telegram.find(row => row.agent_id === one.agent.id));
  const options = [
    { value: 'off' as const, text: t('telegram.off') },
    { value: 'on' as const, text: t('telegram.on') }
  ];
  const whole = one.all['telegram'];
  return (
    <div data-key={field.key}>
      <Shell label={labelOf(field, t)} help={one.agent.master ? null : t('telegram.master_only')} errors={whole === undefined ? [] : [whole]}>
        {named => <Radios named={named} options={options} value={form === null ? 'off' : 'on'} locked={one.locked} onPick={next => one.set(next === 'off' ? null : (telegram(one.agent.declared['telegram'] as Value) ?? NEW))} />}
      </Shell>
      {form === null
        ? null
        : PARTS.map(part => {
            const wrong = one.all[`telegram.${part}`];
            return (
              <Shell key={part} label={t(`telegram.${part}`)} help={t(`telegram.${part}.help`)} errors={wrong === undefined ? [] : [wrong]}>
                {named => (
                  <input {...named} className="crew-input crew-mono" value={form[part]} readOnly={one.locked} autoComplete="off" spellCheck={false} onChange={event => one.set({ ...form, [part]: event.target.value })} />
                )}
              </Shell>
            );
          })}
      {state ? <p className={state.problem ? 'crew-sm crew-t-error' : 'crew-sm crew-2'}>{state.problem || t(state.ignored ? 'connections.telegram_ignored' : state.configured ? 'connections.telegram_on' : 'connections.telegram_off')}</p> : null}
    </div>
  );
}

function telegram(value: Value): TelegramForm | null {
  return value !== null && typeof value === 'object' && 'token_env' in value ? value : null;
}
