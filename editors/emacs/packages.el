;;; packages.el --- Emacs -Q with the packages of Debian -*- lexical-binding: t -*-
;;; Code:
(let ((default-directory "/usr/share/emacs/site-lisp/elpa/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))
;;; packages.el ends here
