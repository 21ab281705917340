-- Was a part of 0003, which blocked writes while PostgreSQL read all objects.

create index concurrently if not exists object_sso on object
  using gin (sso_accounts(text)) where type = 16 and not deleted;
