using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>An array of the pool, with the misuse that a pool must refuse: it changes nothing.</summary>
internal sealed class RentedArray : Owner
{
    /// <summary>From here on, no two lengths of a pool are as near to each other as 3.</summary>
    private const int ShortestOdd = 64;

    private readonly byte[] _array;
    private byte[] _contents;

    private RentedArray(Company company, int length)
        : base(company)
    {
        _array = company.Pool.Rent(length);
        _contents = company.NextBytes(_array.Length);
        _contents.CopyTo(_array, 0);
    }

    internal static OwnerKind Kind { get; } = new(
        "array of the pool",
        static (company, step) => new RentedArray(company, Math.Max(1, step.Number)),
        [
            OwnerCall.Of<RentedArray>("Write", static (array, _) => array.Fill()),
            OwnerCall.Of<RentedArray>("return of an array of an odd length", static (array, _) =>
                Company.RefusesMisuse(
                    "The return", () => array.Company.Pool.Return(new byte[Math.Max(array._array.Length, ShortestOdd) + 3]))),
            OwnerCall.Of<RentedArray>("return of an array of another pool", static (array, _) => array.ReturnForeign()),
            OwnerCall.Of<RentedArray>("lease and throw", static (array, step) => array.LeaseAndThrow(step.Number)),
        ],
        [
            OwnerCall.Of<RentedArray>("returned", static (array, _) => array.Dispose()),
            OwnerCall.Of<RentedArray>("returned twice", static (array, _) => array.ReturnTwice()),
        ]);

    /// <inheritdoc/>
    internal override void Charge(long[] held) => Add(held, Company.PoolNode, _array.Length);

    /// <inheritdoc/>
    internal override void Verify() =>
        Require.That(_array.AsSpan().SequenceEqual(_contents), $"#{Number} has other bytes than were written.");

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        Company.Pool.Return(_array);
    }

    /// <inheritdoc/>
    internal override void DisposeAgain()
    {
    }

    private void Fill()
    {
        _contents = Company.NextBytes(_array.Length);
        _contents.CopyTo(_array, 0);
    }

    /// <summary>A pool without checks cannot tell an array of another pool, and keeps it.</summary>
    private void ReturnForeign()
    {
        if (Company.IsChecked)
        {
            Company.RefusesMisuse("The return", () => Company.Pool.Return(new byte[_array.Length]));
        }
    }

    private void LeaseAndThrow(int length) => Company.Try(
        () => Company.Refuses<TimeZoneNotFoundException>(
            "The code with a lease",
            () =>
            {
                using BufferLease<byte> lease = Company.Pool.Lease(length);
                throw new TimeZoneNotFoundException();
            }));

    /// <summary>A second return that follows the first is found, where the pool kept the array; trimmed, it has room for it.</summary>
    private void ReturnTwice()
    {
        Company.Pool.Trim();
        Dispose();
        Company.RefusesMisuse("The second return", () => Company.Pool.Return(_array));
    }
}
