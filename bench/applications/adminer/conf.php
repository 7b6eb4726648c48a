<?php
// Debian's adminer with its own plugin for SQLite files, which have no password of their own.
define('ADMINER_DIR', '/usr/share/adminer');
function adminer_object() {
    include_once ADMINER_DIR . "/plugins/plugin.php";
    include_once ADMINER_DIR . "/plugins/version-noverify.php";
    include_once ADMINER_DIR . "/plugins/login-password-less.php";
    return new AdminerPlugin(array(
        new AdminerVersionNoverify(),
        new AdminerLoginPasswordLess(password_hash("Kiln-Fire-88", PASSWORD_DEFAULT)),
    ));
}
chdir(getenv("STUDIO_DATA"));
include ADMINER_DIR . "/adminer.php";
