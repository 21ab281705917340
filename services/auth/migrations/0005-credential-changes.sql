-- Tells every replica of the auth service when something ends or changes that gateways keep of credentials: the account
-- that it belongs to. Triggers, so that code of the release before tells it too.

create function tell_credential_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('auth_credential_change', to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;
create trigger api_key_told after delete or update of hash, account_id, maintainer, expires, revoked on api_key
  for each row execute function tell_credential_change('account_id');
create trigger session_told after delete or update of hash, account_id, expires on session
  for each row execute function tell_credential_change('account_id');
create trigger account_told after update of name, inactive on account
  for each row when (old.name <> new.name or old.inactive is distinct from new.inactive)
  execute function tell_credential_change('id');

create function tell_block_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('auth_block_change', '');
  return null;
end
$$;
create trigger block_told after insert or update or delete on block
  for each statement execute function tell_block_change();
