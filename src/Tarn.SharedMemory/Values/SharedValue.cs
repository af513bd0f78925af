using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>The latest value of one writer, for any number of readers in any processes, none of which sees half of one.</summary>
/// <typeparam name="T">
/// The value's type: the same bytes in each process, so without pointers, and with a layout that all agree on. Its size is compared, and
/// of a number whether it is signed, unsigned, floating-point, a <see cref="bool"/>, a <see cref="char"/> or a <see cref="decimal"/>.
/// </typeparam>
/// <remarks>
/// <para>One process creates it, and others open it by name. Names are shared with <see cref="SharedRegion"/>. The first process to write
/// becomes the writer, until it disposes the object or ends; <see cref="AttachWriter"/> takes the role at once. Its threads may write at
/// the same time, one after the other.</para>
/// <para>A reader neither waits for the writer nor holds it back, and misses the values that were written between two reads. A writer that
/// ends at any moment leaves the last complete value, and its successor continues with the next version.</para>
/// <para>No contents of the shared memory make a process read or write outside it. A process that may write the memory can make readers get
/// any bytes, or <see cref="InvalidDataException"/>.</para>
/// <para>All members are safe to call from any thread. <see cref="Dispose"/> ends a waiting call, which then throws
/// <see cref="ObjectDisposedException"/>.</para>
/// </remarks>
public sealed unsafe partial class SharedValue<T> : IDisposable
    where T : unmanaged
{
    /// <summary>A reader that copies T so often in a row, and is overtaken each time, deals with no writer that writes values.</summary>
    private const int MostAttempts = 10_000;

    private readonly SharedRegion _region;
    private readonly ValueHeader* _header;
    private readonly RegionRole _role;
    private readonly SharedSignal _signal;
    private readonly ValueSide _side;
    private readonly CallsInside _calls = new();
    private readonly Lock _writing = new();
    private bool _isWriter;
    private int _isDisposed;

    private SharedValue(SharedRegion region)
    {
        if (region.Longest != sizeof(T) || region.Size != ValueHeader.RegionSize(sizeof(T)))
        {
            throw new InvalidDataException(
                $"The value \"{region.Name}\" cannot be opened: it has {region.Longest} bytes, in a region of {region.Size}, and "
                    + $"{typeof(T)} has {sizeof(T)}.");
        }

        if (region.Number != Number && region.Number != NumberKind.Unknown && Number != NumberKind.Unknown)
        {
            throw new InvalidDataException(
                $"The value \"{region.Name}\" cannot be opened: it is a number of the kind {region.Number}, and {typeof(T)} is one of the "
                    + $"kind {Number}. Open it as the type that its creator gave it.");
        }

        _region = region;
        _header = (ValueHeader*)region.Pointer;
        _role = new RegionRole(
            new RegionSharers(region, &_header->Namespace, &_header->HasManyKernels), &_header->Writer, RegionSeat.Writer);
        _signal = SharedSignal.Create(RegionNames.ToFileName(region.Name) + ".change", &_header->Change.Signal);
        _side = new ValueSide(region.Name, _header, _calls, _signal);
    }

    /// <summary>Gives up the role of a forgotten object.</summary>
    ~SharedValue()
    {
        Close();
    }

    /// <summary>The name it was created with.</summary>
    public string Name => _region.Name;

    /// <summary>A value that no other one has: two that had the same name one after the other differ in it.</summary>
    public Guid Id => _region.Id;

    /// <summary>
    /// Whether a task that awaits this value may continue on the thread that waits; false by default, when the thread pool continues it.
    /// True saves the wake of a second thread, most of the time that a value takes to a task that sleeps. The code that continues there,
    /// up to its next await of something that has not come, holds up all waits of this process with this setting: it must neither block nor
    /// take long. The option of the same name of <see cref="System.Threading.Channels.ChannelOptions"/> is alike. It counts for the waits
    /// that begin after it was set.
    /// </summary>
    public bool AllowSynchronousContinuations
    {
        get => _side.IsInline;
        set => _side.IsInline = value;
    }

    /// <summary>How many values were written since it was created: the version of the latest value; 0 before the first.</summary>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public long Version
    {
        get
        {
            Enter();
            long version = Volatile.Read(ref _header->Version);
            _calls.Leave();
            return version;
        }
    }

    /// <summary>The id of the writing process; 0 if no process has written yet, or the writer disposed its object or exited.</summary>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public int WriterProcessId
    {
        get
        {
            Enter();
            try
            {
                return _role.ProcessId;
            }
            finally
            {
                _calls.Leave();
            }
        }
    }

    /// <summary>What kind of number <typeparamref name="T"/> is; an enumeration is one of its numbers.</summary>
    private static NumberKind Number => Type.GetTypeCode(typeof(T)) switch
    {
        TypeCode.Boolean => NumberKind.Boolean,
        TypeCode.Char => NumberKind.Character,
        TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64 => NumberKind.Signed,
        TypeCode.Byte or TypeCode.UInt16 or TypeCode.UInt32 or TypeCode.UInt64 => NumberKind.Unsigned,
        TypeCode.Single or TypeCode.Double => NumberKind.Float,
        TypeCode.Decimal => NumberKind.Decimal,
        _ when typeof(T) == typeof(Int128) || typeof(T) == typeof(nint) => NumberKind.Signed,
        _ when typeof(T) == typeof(UInt128) || typeof(T) == typeof(nuint) => NumberKind.Unsigned,
        _ when typeof(T) == typeof(Half) => NumberKind.Float,
        _ => NumberKind.Unknown,
    };

    /// <summary>Its header; for tests.</summary>
    internal ValueHeader* Header => _header;

    /// <summary>Takes the writer's role now rather than with the first write. Does nothing if this object has it.</summary>
    /// <exception cref="InvalidOperationException">Another process, or another object of this process, is the writer.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public void AttachWriter()
    {
        Enter();
        try
        {
            using (_writing.Hold())
            {
                AttachInside();
            }
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <summary>Writes a value. Readers see the whole of it from now on.</summary>
    /// <param name="value">The value.</param>
    /// <returns>Its version.</returns>
    /// <exception cref="InvalidDataException">The header is corrupted.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public long Write(in T value)
    {
        Enter();
        try
        {
            using (_writing.Hold())
            {
                AttachInside();
                return Publish(value);
            }
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <summary>Reads the latest value.</summary>
    /// <param name="value">The value; the default if none was written yet.</param>
    /// <returns>True if there is one.</returns>
    /// <inheritdoc cref="TryRead(out T, out long)" path="/exception"/>
    public bool TryRead(out T value) => TryRead(out value, out _);

    /// <summary>Reads the latest value and its version.</summary>
    /// <param name="value">The value; the default if none was written yet.</param>
    /// <param name="version">Its version; 0 if none was written yet.</param>
    /// <returns>True if there is one.</returns>
    /// <exception cref="InvalidDataException">Some process keeps changing the version, faster than values can be written.</exception>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public bool TryRead(out T value, out long version)
    {
        Enter();
        try
        {
            for (int attempt = 0; attempt < MostAttempts; attempt++)
            {
                version = Volatile.Read(ref _header->Version);
                if (version == 0)
                {
                    value = default;
                    return false;
                }

                value = Unsafe.ReadUnaligned<T>(CopyOf(version));
                Volatile.ReadBarrier();
                long passed = Volatile.Read(ref _header->Version) - version;
                if (passed is >= 0 and < ValueHeader.Copies - 1)
                {
                    return true;
                }
            }
        }
        finally
        {
            _calls.Leave();
        }

        throw new InvalidDataException(
            $"The value \"{Name}\" is corrupted: its version changed {MostAttempts} times in a row while it was read. Some process wrote "
                + "where it should not have.");
    }

    /// <summary>Waits for a value after a version.</summary>
    /// <param name="version">The version of the last value that the caller has; 0 for none.</param>
    /// <param name="timeout">How long to wait: <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>True if there is one; false if there was none until the timeout.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="version"/> is negative, or <paramref name="timeout"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public bool WaitForChange(long version, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ThrowIfNegative(version);
        long deadline = Deadline.After(timeout);
        cancellationToken.ThrowIfCancellationRequested();
        Enter();
        try
        {
            return _side.WaitUntil(version, deadline, cancellationToken);
        }
        finally
        {
            _calls.Leave();
        }
    }

    /// <summary>Waits for a value after a version, without holding a thread.</summary>
    /// <param name="version">The version of the last value that the caller has; 0 for none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The wait, after which there is one.</returns>
    /// <remarks>The wait costs what that of <see cref="SharedRing.WaitToReadAsync"/> does. Any number of tasks may wait.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="version"/> is negative.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits.</exception>
    /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
    public ValueTask WaitForChangeAsync(long version, CancellationToken cancellationToken = default)
    {
        ThrowIfNegative(version);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        Enter();
        return _side.WaitAsync(version, cancellationToken);
    }

    /// <summary>
    /// Gives up the writer's role if this object has it, and unmaps the value, which remains for every process that has it open, or opens
    /// it while its name exists. A second call does nothing.
    /// </summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    private static void ThrowIfNegative(long version)
    {
        if (version < 0)
        {
            Throw.Negative(nameof(version), version);
        }
    }

    private void Enter()
    {
        if (!_calls.TryEnter())
        {
            ThrowClosed();
        }
    }

    private void AttachInside()
    {
        if (_isWriter)
        {
            return;
        }

        if (_role.TryTake() is { } taken)
        {
            throw RoleRefusals.Taken("value", Name, "writer", taken.Holder, taken.State);
        }

        _isWriter = true;
    }

    private long Publish(in T value)
    {
        long version = Volatile.Read(ref _header->Version) + 1;
        if (version is <= 0 or > ValueHeader.MostVersion)
        {
            throw new InvalidDataException(
                $"The value \"{Name}\" is corrupted: its version is {version - 1}. Some process wrote where it should not have.");
        }

        Unsafe.WriteUnaligned(CopyOf(version), value);
        Interlocked.Exchange(ref _header->Version, version);
        WaitingSide.WakeIfAsleep(&_header->Change, _signal);
        return version;
    }

    private byte* CopyOf(long version) =>
        (byte*)_header + ValueHeader.Length + ((version & (ValueHeader.Copies - 1)) * ValueHeader.CopySize(sizeof(T)));

    private void Close()
    {
        // Null if the constructor threw.
        if (_side is null || Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        _calls.BeginClosing();
        _side.WakeThis();
        _calls.AwaitNobody();
        if (_isWriter)
        {
            _role.GiveUp();
        }

        _signal.Dispose();
        _region.Dispose();
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(nameof(SharedValue<T>), $"The value \"{Name}\" was disposed.");
}
