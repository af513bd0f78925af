using System;
using System.Buffers;
using System.Collections.Generic;

/// <summary>Buffers that go to methods of which a call may run several.</summary>
public static class Overridden
{
    internal static void GivenToAny(IEnumerable<Reader> readers, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        foreach (Reader reader in readers)
        {
            reader.Read(buffer);
        }
    }

    internal static void GivenToImplementation(IFiller filler, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        filler.Fill(buffer);
    }

    internal static void GivenToKeeper(Keeper keeper, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        keeper.Take(buffer);
    }

    internal static void GivenToOneThatReturns(Ender ender, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        ender.End(buffer);
    }

    internal static int ReturnedByAll(Returner returner, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        returner.Return(buffer);
        return buffer[0]; // expect TARN002
    }

    internal static void ReadToItsEndByAll(Hasher hasher, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        hasher.Hash(buffer); // expect TARN007
        ArrayPool<byte>.Shared.Return(buffer);
    }

    public static void GivenToOpenMethod(Open open, int length)
    {
        ArgumentNullException.ThrowIfNull(open);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        open.Take(buffer);
    }

    public abstract class Open
    {
        public abstract void Take(byte[] bytes);
    }

    internal sealed class NotTheOnlyOne : Open
    {
        public override void Take(byte[] bytes) => bytes[0] = 1;
    }

    internal abstract class Reader
    {
        internal abstract bool Read(byte[] bytes);
    }

    internal sealed class First : Reader
    {
        internal override bool Read(byte[] bytes) => bytes[0] > 0;
    }

    internal sealed class Second : Reader
    {
        internal override bool Read(byte[] bytes)
        {
            ref byte second = ref bytes[1];
            return second > 0;
        }
    }

    internal interface IFiller
    {
        void Fill(byte[] bytes);
    }

    internal sealed class Zeros : IFiller
    {
        void IFiller.Fill(byte[] bytes) => Array.Clear(bytes);
    }

    internal abstract class Keeper
    {
        internal abstract void Take(byte[] bytes);
    }

    internal sealed class Borrower : Keeper
    {
        internal override void Take(byte[] bytes) => bytes[0] = 1;
    }

    internal sealed class RealKeeper : Keeper
    {
        private byte[] _kept = [];

        internal int Length => _kept.Length;

        internal override void Take(byte[] bytes) => _kept = bytes;
    }

    internal abstract class Ender
    {
        internal virtual void End(byte[] bytes) => bytes[0] = 1;
    }

    internal sealed class RealEnder : Ender
    {
        internal override void End(byte[] bytes) => ArrayPool<byte>.Shared.Return(bytes);
    }

    internal abstract class Returner
    {
        internal abstract void Return(byte[] bytes);
    }

    internal sealed class PlainReturner : Returner
    {
        internal override void Return(byte[] bytes) => ArrayPool<byte>.Shared.Return(bytes);
    }

    internal sealed class ClearingReturner : Returner
    {
        internal override void Return(byte[] bytes)
        {
            Array.Clear(bytes);
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    internal abstract class Hasher
    {
        internal abstract string Hash(byte[] bytes);
    }

    internal sealed class Hex : Hasher
    {
        internal override string Hash(byte[] bytes) => Convert.ToHexString(bytes);
    }
}
