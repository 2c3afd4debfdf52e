-- The database and its roles. Once, by a superuser, before the first `jasshaus migrate`: psql --file deploy/postgres.sql
-- Then give each role a password, e.g. psql --command '\password jasshaus_wallet', or whatever your clients sign in with.
CREATE ROLE jasshaus_owner LOGIN;
CREATE ROLE jasshaus_wallet LOGIN;
CREATE ROLE jasshaus_matchmaking LOGIN;
CREATE DATABASE jasshaus OWNER jasshaus_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE jasshaus FROM PUBLIC;
GRANT CONNECT ON DATABASE jasshaus TO jasshaus_wallet, jasshaus_matchmaking;
