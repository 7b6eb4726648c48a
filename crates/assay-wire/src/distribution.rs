//! What a program is called in the packages of this system.

/// A package under its names in the distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    pub debian: &'static str,
    pub ubuntu: &'static str,
    pub fedora: &'static str,
    pub arch: &'static str,
    pub suse: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Debian,
    Ubuntu,
    Fedora,
    Arch,
    Suse,
}

impl Package {
    /// Its name here; none where the distribution is not known, or does not have it.
    pub fn name_here(&self) -> Option<&'static str> {
        self.name_in(family(&os_release())?)
    }

    fn name_in(&self, family: Family) -> Option<&'static str> {
        let name = match family {
            Family::Debian => self.debian,
            Family::Ubuntu => self.ubuntu,
            Family::Fedora => self.fedora,
            Family::Arch => self.arch,
            Family::Suse => self.suse,
        };
        (!name.is_empty()).then_some(name)
    }
}

/// The command that installs packages on this system.
pub fn install_command(packages: &[Package]) -> Option<String> {
    let family = family(&os_release())?;
    let names: Vec<&str> = packages.iter().filter_map(|package| package.name_in(family)).collect();
    let install = match family {
        _ if names.is_empty() => return None,
        Family::Debian | Family::Ubuntu => "apt-get install -y --no-install-recommends",
        Family::Fedora => "dnf install -y",
        Family::Arch => "pacman -S --noconfirm",
        Family::Suse => "zypper install -y",
    };
    // SAFETY: a plain system call.
    let sudo = if unsafe { libc::geteuid() } == 0 { "" } else { "sudo " };
    Some(format!("{sudo}{install} {}", names.join(" ")))
}

fn os_release() -> String {
    std::fs::read_to_string("/etc/os-release").unwrap_or_default()
}

fn family(os_release: &str) -> Option<Family> {
    let value = |key: &str| {
        os_release
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .map(|value| value.trim_matches('"').to_string())
            .unwrap_or_default()
    };
    // The distribution itself first, then what it says it is like.
    let (id, like) = (value("ID"), value("ID_LIKE"));
    std::iter::once(id.as_str()).chain(like.split(' ')).find_map(|name| match name {
        "debian" | "raspbian" => Some(Family::Debian),
        "ubuntu" => Some(Family::Ubuntu),
        "fedora" | "rhel" | "centos" => Some(Family::Fedora),
        "arch" => Some(Family::Arch),
        "suse" | "opensuse" | "opensuse-leap" | "opensuse-tumbleweed" => Some(Family::Suse),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_is_known_by_its_name_or_by_what_it_is_like() {
        assert_eq!(family("NAME=x\nID=debian\n"), Some(Family::Debian));
        assert_eq!(family("ID=ubuntu\nID_LIKE=debian\n"), Some(Family::Ubuntu));
        assert_eq!(family("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), Some(Family::Ubuntu));
        assert_eq!(family("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n"), Some(Family::Suse));
        assert_eq!(family("ID=plan9\n"), None);
    }

    #[test]
    fn a_package_that_a_distribution_does_not_have_is_not_named() {
        let package = Package {
            debian: "webkit2gtk-driver",
            ubuntu: "webkit2gtk-driver",
            fedora: "",
            arch: "",
            suse: "",
        };
        assert_eq!(package.name_in(Family::Debian), Some("webkit2gtk-driver"));
        assert_eq!(package.name_in(Family::Fedora), None);
    }
}
