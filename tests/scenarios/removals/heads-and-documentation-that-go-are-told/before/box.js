/* Copyright 2021 Some One */
"use strict";
'use client';

/** Opens. */
function open() {
  return 1;
}
