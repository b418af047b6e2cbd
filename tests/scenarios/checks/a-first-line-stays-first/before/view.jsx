'use client';

function View() {}
