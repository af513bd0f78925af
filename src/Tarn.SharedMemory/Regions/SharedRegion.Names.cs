using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <content>Creates, opens, lists and deletes regions by name.</content>
public sealed unsafe partial class SharedRegion
{
    /// <summary>
    /// The most attempts to open and create in turn while other processes create and delete. More failures are not chance.
    /// </summary>
    private const int CreateOrOpenAttempts = 100;

    /// <summary>Creates a region of zeros. Other processes see the complete region or none.</summary>
    /// <param name="name">A name that nothing else in shared memory has.</param>
    /// <param name="size">The size in bytes, at least 1.</param>
    /// <param name="options">How to create it; null for the defaults.</param>
    /// <returns>The region. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="size"/> is not positive.</exception>
    /// <exception cref="IOException">
    /// The name is in use, the system lacks that much shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static SharedRegion Create(string name, long size, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, size, options);

    /// <summary>Opens a region for reading and writing. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="allowOtherUsers">
    /// Whether to open what another user created; by default, only what this user or root did. Another user can shorten the file, which
    /// ends each process that accesses the missing part. Windows has no user numbers: the permissions of the directory apply.
    /// </param>
    /// <returns>The region. The caller must dispose it; the name remains.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="FileNotFoundException">There is no region of that name.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a region, has another version, is truncated, or is of another kind; the message says which.
    /// </exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the region and <paramref name="allowOtherUsers"/> is false.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static SharedRegion Open(string name, bool allowOtherUsers = false) =>
        Open(NamedMemory.Current, name, allowOtherUsers: allowOtherUsers);

    /// <summary>
    /// Opens a region, or creates it if there is none. When several processes do so at once, one creates it and the others open it.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="size">The size in bytes, at least 1.</param>
    /// <param name="options">How to create it if it is created; null for the defaults.</param>
    /// <param name="allowOtherUsers">As for <see cref="Open(string, bool)"/>.</param>
    /// <returns>The region. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="size"/> is not positive.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a region, has another version, is truncated, or is of another kind; the message says which.
    /// </exception>
    /// <exception cref="IOException">
    /// The region exists with another size, the system lacks that much shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the region and <paramref name="allowOtherUsers"/> is false.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static SharedRegion CreateOrOpen(
        string name, long size, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        CreateOrOpen(NamedMemory.Current, name, size, options, allowOtherUsers);

    /// <summary>Opens a region; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="allowOtherUsers">As for <see cref="Open(string, bool)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The region. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="TimeoutException">There is nothing of that name after the timeout.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="Open(string, bool)" path="/exception[not(contains(@cref, 'FileNotFound'))]"/>
    public static SharedRegion OpenWhenCreated(
        string name, TimeSpan timeout, bool allowOtherUsers = false, CancellationToken cancellationToken = default) =>
        RegionArrival.Await(NamedMemory.Current, name, RegionKind.Plain, timeout, allowOtherUsers, cancellationToken);

    /// <summary>
    /// Removes a name. Processes that have the region mapped keep it until they dispose it. Another region can take the name at once.
    /// </summary>
    /// <param name="name">The name of a region, ring, queue, topic or value.</param>
    /// <returns>True if the name existed.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="InvalidDataException">The file of that name is not a region, and was not deleted.</exception>
    /// <exception cref="IOException">The system refuses the call.</exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static bool Delete(string name) => Delete(NamedMemory.Current, name);

    /// <summary>
    /// Lists the regions, rings, queues, topics and values of this version of the library on this machine, in no particular order.
    /// </summary>
    /// <returns>A snapshot: other processes create and delete regions at any time.</returns>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static IReadOnlyList<SharedRegionInfo> List() => List(NamedMemory.Current);

    /// <summary>
    /// Deletes the regions, rings, queues, topics and values whose creating process has exited, of all programs on the machine. Those that
    /// were created with <see cref="SharedRegionOptions.DeleteOnDispose"/> set to false are to outlive it, and remain: delete them by name
    /// with <see cref="Delete(string)"/>. Processes that have the others open keep them. Regions that this process may not delete remain.
    /// </summary>
    /// <returns>The number deleted.</returns>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public static int DeleteAbandoned() => DeleteAbandoned(NamedMemory.Current);

    internal static SharedRegion Create(NamedMemory names, string name, long size, SharedRegionOptions? options) =>
        Create(names, name, new RegionShape(size), options, RegionKind.Plain);

    internal static SharedRegion Create(
        NamedMemory names, string name, RegionShape shape, SharedRegionOptions? options, RegionKind kind) =>
        TryCreate(names, name, shape, options, kind) ?? throw NameIsTaken(names, name);

    internal static SharedRegion Open(
        NamedMemory names, string name, RegionKind kind = RegionKind.Plain, bool allowOtherUsers = false) =>
        TryOpen(names, name, kind, allowOtherUsers)
            ?? throw new FileNotFoundException($"There is no {RegionFile.Noun(kind)} \"{name}\".", name);

    internal static SharedRegion CreateOrOpen(
        NamedMemory names, string name, long size, SharedRegionOptions? options, bool allowOtherUsers = false) =>
        CreateOrOpen(names, name, new RegionShape(size), options, allowOtherUsers, RegionKind.Plain);

    internal static SharedRegion CreateOrOpen(
        NamedMemory names, string name, RegionShape shape, SharedRegionOptions? options, bool allowOtherUsers, RegionKind kind)
    {
        ThrowIfNotPositive(shape.Size);
        for (int attempt = 0; attempt < CreateOrOpenAttempts; attempt++)
        {
            SharedRegion? region = TryOpen(names, name, kind, allowOtherUsers) ?? TryCreate(names, name, shape, options, kind);
            if (region is null)
            {
                continue;
            }

            if (region.Size == shape.Size && region.Longest == shape.Longest)
            {
                return region;
            }

            region.Dispose();
            throw new IOException(
                $"The {RegionFile.Noun(kind)} \"{name}\" exists with {RegionFile.SizeOf(kind, region.Size, region.Longest)}, not "
                + $"{RegionFile.SizeOf(kind, shape.Size, shape.Longest)}. "
                + $"Open it with {nameof(Open)}, or delete it.");
        }

        throw new IOException(
            $"Other processes created and deleted the {RegionFile.Noun(kind)} \"{name}\" {CreateOrOpenAttempts} times in a row.");
    }

    internal static bool Delete(NamedMemory names, string name) => names.Remove(RegionNames.ToFileName(name), file =>
        RegionFile.Examine(file, out RegionHeader header) is { } wrong && header.Magic != RegionHeader.ExpectedMagic
            ? throw new InvalidDataException($"The shared region \"{name}\" was not deleted: {wrong}.")
            : true);

    internal static IReadOnlyList<SharedRegionInfo> List(NamedMemory names)
    {
        List<SharedRegionInfo> regions = [];
        foreach (string name in NamesOf(names))
        {
            if (TryDescribe(names, name, out _) is { } region)
            {
                regions.Add(region);
            }
        }

        return regions;
    }

    internal static int DeleteAbandoned(NamedMemory names)
    {
        names.RemoveLeftovers();
        int deleted = 0;
        foreach (string name in NamesOf(names))
        {
            deleted += DeleteAbandoned(names, name, kind: null) ? 1 : 0;
        }

        return deleted;
    }

    /// <summary>Deletes a region whose creator has exited, if it is of that kind and not to outlive the creator.</summary>
    /// <returns>Whether it was deleted.</returns>
    internal static bool DeleteAbandoned(NamedMemory names, string name, RegionKind? kind)
    {
        try
        {
            return names.Remove(
                RegionNames.ToFileName(name),
                file => RegionFile.IsRegion(file, out RegionHeader header)
                    && (kind is null || header.Kind == kind)
                    && !header.IsPersistent
                    && RegionFile.StateOfOwner(file, header) == HolderState.Gone);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The region belongs to another user, who can delete it.
            return false;
        }
    }

    private static SharedRegion? TryCreate(
        NamedMemory names, string name, RegionShape shape, SharedRegionOptions? options, RegionKind kind)
    {
        string fileName = RegionNames.ToFileName(name);
        long size = shape.Size;
        ThrowIfNotPositive(size);
        if (size > long.MaxValue - RegionHeader.Length)
        {
            throw new IOException(
                $"Cannot create the {RegionFile.Noun(kind)} \"{name}\" of {size} bytes: no system has that much memory.");
        }

        options ??= new SharedRegionOptions();
        RegionHeader header = RegionHeader.Create(kind, size, shape.Longest, shape.Number, isKept: !options.DeleteOnDispose);
        FileStatus status = default;
        FileSeats? seats = null;
        NamedFile? made = names.TryCreate(fileName, RegionHeader.Length + size, options.Mode, options.HugePages, Describe);
        return made is { } file
            ? new SharedRegion(names, name, new Parts(file, header, status, seats), isCreator: true, options.DeleteOnDispose)
            : null;

        // The creator has its seat before any other process can see the file.
        byte[] Describe(SafeFileHandle created)
        {
            status = FileStatus.Of(created);
            seats = names.HasSeats ? FileSeats.Of(created) : null;
            _ = seats?.TryTake(RegionSeat.Creator);
            header.SetFile(status, hasSeats: seats is not null);
            return MemoryMarshal.AsBytes(new Span<RegionHeader>(ref header)).ToArray();
        }
    }

    internal static SharedRegion? TryOpen(NamedMemory names, string name, RegionKind kind, bool allowOtherUsers)
    {
        SafeFileHandle? file = names.TryOpen(RegionNames.ToFileName(name));
        if (file is null)
        {
            return null;
        }

        bool isKept = false;
        try
        {
            if (!allowOtherUsers)
            {
                ThrowIfAnotherUsers(file, name, kind);
            }

            if (RegionFile.Examine(file, out RegionHeader header) is { } wrong)
            {
                throw new InvalidDataException($"The {RegionFile.Noun(kind)} \"{name}\" cannot be opened: {wrong}.");
            }

            if (header.Kind != kind)
            {
                throw new InvalidDataException(
                    $"\"{name}\" cannot be opened as {RegionFile.Describe(kind)}: it is {RegionFile.Describe(header.Kind)}.");
            }

            // Who writes and reads what is in the region has seats besides the creator.
            bool mayHaveSeats = kind != RegionKind.Plain && header.HasSeats != 0;
            FileStatus status = FileStatus.Of(file);
            FileSeats? seats = mayHaveSeats ? FileSeats.Of(file) : null;
            NamedFile opened = new(NamedMemory.Map(file, RegionHeader.Length + header.Size), seats is null ? null : file);
            SharedRegion region = new(
                names, name, new Parts(opened, header, status, seats), isCreator: false, isDeletedOnDispose: false);
            isKept = seats is not null;
            return region;
        }
        finally
        {
            if (!isKept)
            {
                file.Dispose();
            }
        }
    }

    private static void ThrowIfAnotherUsers(SafeFileHandle file, string name, RegionKind kind)
    {
        if (FileStatus.Of(file).Owner is { } owner && owner != FileStatus.Root && owner != FileStatus.CurrentUser)
        {
            throw new UnauthorizedAccessException(
                $"The {RegionFile.Noun(kind)} \"{name}\" belongs to user {owner}, and this process runs as user {FileStatus.CurrentUser}. "
                + "Allow other users to open it.");
        }
    }

    private static IEnumerable<string> NamesOf(NamedMemory names) =>
        names.GetNames(RegionNames.Prefix).Select(name => name[RegionNames.Prefix.Length..]);

    /// <summary>Describes a region; null if the name is not a region's, or no longer exists.</summary>
    /// <param name="names">Where the name is.</param>
    /// <param name="name">Its name.</param>
    /// <param name="what">What is in it, for messages.</param>
    private static SharedRegionInfo? TryDescribe(NamedMemory names, string name, out string what)
    {
        what = RegionFile.Noun(RegionKind.Plain);
        try
        {
            using SafeFileHandle? file = names.TryOpen(RegionNames.Prefix + name);
            if (file is null || !RegionFile.IsRegion(file, out RegionHeader header))
            {
                return null;
            }

            what = RegionFile.Describe(header.Kind, header.Size, header.Longest);
            HolderState owner = RegionFile.StateOfOwner(file, header);
            return new SharedRegionInfo
            {
                Name = name,
                Size = header.Size,
                OwnerProcessId = header.Owner.Id,
                OwnerIsAlive = owner != HolderState.Gone,
                OwnerIsUnknown = owner == HolderState.Unknown,
                IsPersistent = header.IsPersistent,
            };
        }
        catch (UnauthorizedAccessException)
        {
            return names.SizeOf(RegionNames.Prefix + name) is { } size
                ? new SharedRegionInfo { Name = name, Size = size, OwnerIsAlive = true, OwnerIsUnknown = true }
                : null;
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static IOException NameIsTaken(NamedMemory names, string name) =>
        new(TryDescribe(names, name, out string what) switch
        {
            null => $"The name \"{name}\" is taken by a file that is not a shared region, ring or queue of this version. "
                + $"If it is one of another version, remove it with {nameof(SharedRegion)}.{nameof(Delete)}.",
            { OwnerProcessId: 0 } => $"The name \"{name}\" is taken by a file that this process may not open.",
            { OwnerIsUnknown: true } taken =>
                $"The name \"{name}\" is taken: process {taken.OwnerProcessId} of another container or virtual machine created "
                + $"{what}. This process cannot see whether that still runs. Open it, or remove it with "
                + $"{nameof(SharedRegion)}.{nameof(Delete)} if you know that it does not.",
            { OwnerIsAlive: true } taken =>
                $"The name \"{name}\" is taken: process {taken.OwnerProcessId} created {what}.",
            { } taken =>
                $"The name \"{name}\" is taken: process {taken.OwnerProcessId} created {what} and exited. "
                + $"Open it, or delete it with Delete{(taken.IsPersistent ? "" : " or DeleteAbandoned")}.",
        });

    private static void ThrowIfNotPositive(long size)
    {
        if (size <= 0)
        {
            throw new ArgumentOutOfRangeException(nameof(size), size, "The size of a shared region must be at least 1 byte.");
        }
    }
}
