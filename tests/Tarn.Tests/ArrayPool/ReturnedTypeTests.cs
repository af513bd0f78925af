using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>
/// An array of another element type that the runtime lets pass as the pool's, as <c>uint[]</c> passes as <c>int[]</c>, is refused on
/// every path, and never handed out.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ReturnedTypeTests
{
    private const int Length = 128;

    public enum Kind
    {
        First,
    }

    public enum Path
    {
        FirstUseOfThePool,
        TopSlotIsEmpty,
        TopSlotIsTaken,
        MagazineIsFull,
        Cleared,
        ClearedInPart,
        ExactLength,
        TooLong,
        NothingIsRetained,
        ReturnsAreChecked,
        Traced,
    }

    public static TheoryData<Path> Paths => [.. Enum.GetValues<Path>()];

    [Theory]
    [MemberData(nameof(Paths))]
    public void Unsigned_passed_as_signed(Path path) => AssertRefused<int, uint>(path);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Signed_passed_as_unsigned(Path path) => AssertRefused<ulong, long>(path);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Signed_bytes(Path path) => AssertRefused<byte, sbyte>(path);

    [Theory]
    [MemberData(nameof(Paths))]
    public void An_enumeration_passed_as_its_underlying_type(Path path) => AssertRefused<int, Kind>(path);

    [Theory]
    [MemberData(nameof(Paths))]
    public void The_underlying_type_of_an_enumeration(Path path) => AssertRefused<Kind, int>(path);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Strings_passed_as_objects(Path path) => AssertRefused<object, string>(path);

    private static void AssertRefused<T, TOther>(Path path) => Worker.RunOnce(() =>
    {
        BufferPool<T> pool = BufferPool<T>.Create(new BufferPoolOptions
        {
            Checks = path == Path.ReturnsAreChecked ? BufferChecks.Returns : BufferChecks.None,
            MaxRetainedBytes = path == Path.NothingIsRetained ? 0 : 1 << 20,
            MaxArrayLength = 1 << 10,
        });
        using TracingListener? listener = path == Path.Traced ? new TracingListener() : null;
        T[][] held = Prepare(pool, path);
        int length = path switch
        {
            Path.ExactLength => 101,
            Path.TooLong => 1 << 12,
            _ => Length,
        };
        object other = new TOther[length];
        BufferPoolStatistics before = pool.GetStatistics();

        // A pool that checks returns knows every array it handed out, and says so in its own way.
        Type expected = path == Path.ReturnsAreChecked ? typeof(InvalidOperationException) : typeof(ArgumentException);
        Assert.Throws(expected, () =>
        {
            T[] array = Unsafe.As<T[]>(other);
            if (path == Path.ClearedInPart)
            {
                pool.Return(array, usedLength: 3);
            }
            else
            {
                pool.Return(array, clearArray: path == Path.Cleared);
            }
        });
        Assert.Equal((before.RetainedBytes, before.InUseBytes, before.Dropped), Counted(pool));
        for (int i = 0; i < 40; i++)
        {
            Assert.NotSame(other, path == Path.ExactLength ? pool.RentExact(length) : pool.Rent(length));
        }

        GC.KeepAlive(held);
    });

    private static (long Retained, long InUse, long Dropped) Counted<T>(BufferPool<T> pool)
    {
        BufferPoolStatistics now = pool.GetStatistics();
        return (now.RetainedBytes, now.InUseBytes, now.Dropped);
    }

    /// <summary>Brings the pool where the return takes the path.</summary>
    private static T[][] Prepare<T>(BufferPool<T> pool, Path path)
    {
        switch (path)
        {
            case Path.FirstUseOfThePool:
                return [];
            case Path.TopSlotIsTaken:
                pool.Return(pool.Rent(Length));
                return [];
            case Path.MagazineIsFull:
                T[][] all = [.. Enumerable.Range(0, 20).Select(_ => pool.Rent(Length))];
                Array.ForEach(all, array => pool.Return(array));
                return [];
            case Path.ExactLength:
                return [pool.RentExact(101)];
            default:
                return [pool.Rent(Length)];
        }
    }
}
