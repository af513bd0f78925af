namespace Tarn;

/// <summary>Moves bytes between a <see cref="PooledMemoryStream"/> and other streams, without an intermediate buffer.</summary>
/// <remarks>
/// The other stream reads or writes the pooled stream's own memory, so a transfer is a call inside from its beginning to its end: memory
/// of a stream that is disposed meanwhile goes back when the transfer notices it, before the next part.
/// </remarks>
internal static class StreamTransfer
{
    /// <summary>
    /// The largest write that gathers the small segments at the beginning of a stream: a call to the system costs more than the copy.
    /// </summary>
    private const int LargestGathered = 128 << 10;

    /// <summary>The bytes read to find out whether a source has more when the target is full: too few to justify a segment.</summary>
    private const int ProbeSize = 256;

    /// <summary>Writes the contents from <paramref name="position"/> on, in few large writes.</summary>
    internal static void Write(PooledMemoryStream contents, Stream destination, long position)
    {
        long end = contents.ContentsLength;
        while (position < end)
        {
            Memory<byte> part = GetStretch(contents, position, end, out byte[]? gathered);
            try
            {
                destination.Write(part.Span);
            }
            finally
            {
                contents.Bytes.GiveBackWritten(gathered);
            }

            position += part.Length;
        }
    }

    /// <inheritdoc cref="Write"/>
    internal static async Task WriteAsync(
        PooledMemoryStream contents, Stream destination, long position, CancellationToken cancellationToken)
    {
        using CallInside inside = contents.Enter();
        long end = contents.ContentsLength;
        while (position < end)
        {
            Memory<byte> part = GetStretch(contents, position, end, out byte[]? gathered);
            try
            {
                await destination.WriteAsync(part, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                contents.Bytes.GiveBackWritten(gathered);
            }

            position += part.Length;
        }
    }

    /// <summary>Throws unless bytes of <paramref name="source"/> can be appended to <paramref name="target"/>.</summary>
    internal static void ThrowIfNoSource(PooledMemoryStream target, Stream source)
    {
        ArgumentNullException.ThrowIfNull(source);
        target.ThrowIfDisposed();
        if (source == target || source is PooledStreamView view && view.Shows(target))
        {
            throw new ArgumentException(
                "The source is the stream itself or a view of it, so it would never end: write its contents to another stream first.",
                nameof(source));
        }

        if (!source.CanRead)
        {
            ObjectDisposedException.ThrowIf(!source.CanWrite, source);
            throw new NotSupportedException($"The source, a {source.GetType()}, cannot be read: open it for reading.");
        }
    }

    /// <summary>Appends the rest of <paramref name="source"/>, and returns the number of bytes.</summary>
    internal static long Append(PooledMemoryStream target, Stream source)
    {
        using CallInside inside = target.Enter();
        MakeRoom(target, source);
        Span<byte> probe = stackalloc byte[ProbeSize];
        long appended = 0;
        while (true)
        {
            bool isFull = target.Bytes.IsFull;
            int read = source.Read(isFull ? probe : target.GetSpan());
            if (read == 0)
            {
                return appended;
            }

            TakeOver(target, isFull ? probe[..read] : default, read);
            appended += read;
        }
    }

    /// <inheritdoc cref="Append"/>
    /// <remarks>Where the target's budget has no room, it waits for room without a thread.</remarks>
    internal static async ValueTask<long> AppendAsync(PooledMemoryStream target, Stream source, CancellationToken cancellationToken)
    {
        using CallInside inside = target.Enter();
        byte[] probe = await WithRoomAsync(
            target,
            (target, source),
            static append =>
            {
                MakeRoom(append.target, append.source);
                return append.target.Bytes.Rent(ProbeSize);
            },
            cancellationToken).ConfigureAwait(false);
        try
        {
            target.Bytes.Holder?.HeldBeside = probe.Length;
            long appended = 0;
            while (true)
            {
                bool isFull = target.Bytes.IsFull;
                Memory<byte> room = isFull
                    ? probe
                    : await WithRoomAsync(target, target, static target => target.GetMemory(), cancellationToken).ConfigureAwait(false);
                int read = await source.ReadAsync(room, cancellationToken).ConfigureAwait(false);
                if (read == 0)
                {
                    return appended;
                }

                await WithRoomAsync(
                    target,
                    (target, Probed: isFull ? room[..read] : default, read),
                    static append =>
                    {
                        TakeOver(append.target, append.Probed.Span, append.read);
                        return true;
                    },
                    cancellationToken).ConfigureAwait(false);
                appended += read;
            }
        }
        finally
        {
            target.Bytes.Holder?.HeldBeside = 0;
            target.Bytes.GiveBackWritten(probe);
        }
    }

    /// <summary>Makes a call that takes memory for the target, which changes nothing when the target's budget refuses.</summary>
    private static ValueTask<TResult> WithRoomAsync<TState, TResult>(
        PooledMemoryStream target, TState state, Func<TState, TResult> call, CancellationToken cancellationToken) =>
        target.Bytes.Options.Budget is { } budget
            ? BudgetedCall.RunAsync(budget, new StreamWait(target), state, call, cancellationToken)
            : new ValueTask<TResult>(call(state));

    /// <summary>
    /// Returns the longest contiguous stretch from <paramref name="position"/> on. If that is short and more follows, gathers several in an
    /// array, which the caller must return. A stream with a budget never does: a reader could wait for memory then.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The destination, or code that did not await the copy, cut the contents. A part of them must not pass for the whole.
    /// </exception>
    private static Memory<byte> GetStretch(PooledMemoryStream contents, long position, long end, out byte[]? gathered)
    {
        ref SegmentedBytes bytes = ref contents.Contents;
        if (bytes.Length < end)
        {
            throw new InvalidOperationException(
                $"The stream was cut or detached while its {end} bytes were copied: change it when the copy is done.");
        }

        gathered = null;
        if (bytes.GetTableUnlessArray() is not { } table)
        {
            return new Memory<byte>(bytes.CurrentArray, (int)position, (int)(end - position));
        }

        ref Segment segment = ref table[table.Find(position)];
        long stretchEnd = Math.Min(end, segment.End);
        if (stretchEnd - position >= LargestGathered || stretchEnd == end || bytes.Options.Budget is not null)
        {
            return segment.GetMemory(bytes.Options.Heap, (int)(position - segment.Start), (int)(stretchEnd - position));
        }

        int size = (int)Math.Min(end - position, LargestGathered);
        gathered = bytes.Rent(size);
        return gathered.AsMemory(0, bytes.Read(position, gathered.AsSpan(0, size)));
    }

    /// <summary>Moves the target to its end, with room for the length that the source reports.</summary>
    private static void MakeRoom(PooledMemoryStream target, Stream source)
    {
        long announced = source.CanSeek ? Math.Max(0, source.Length - source.Position) : 0;
        ref SegmentedBytes bytes = ref target.Bytes;
        if (announced > bytes.Options.MaxCapacity - bytes.Length)
        {
            StreamThrow.TooLong(bytes.Options.MaxCapacity);
        }

        bytes.GiveBack(bytes.Reserve(bytes.Length + announced));
        target.MoveTo(bytes.Length);
    }

    /// <summary>Adds the bytes read to the target: those of the probe, or those in the requested memory.</summary>
    private static void TakeOver(PooledMemoryStream target, ReadOnlySpan<byte> probed, int read)
    {
        if (probed.IsEmpty)
        {
            target.Advance(read);
        }
        else
        {
            target.Write(probed);
        }
    }
}
