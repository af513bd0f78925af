using System;
using System.Buffers;

/// <summary>Tests of what throws: the object or the array that they ask for never comes.</summary>
internal static class ExpectedToThrow
{
    internal static void Created() => Assert.Throws<ArgumentException>(() => new Held(-1));

    internal static void Rented() => Assert.Throws<ArgumentException>(() =>
    {
        byte[] never = ArrayPool<byte>.Shared.Rent(-1);
        never[0] = 1;
    });

    internal static void InAVariable()
    {
        Action create = () => new Held(-1);
        create.Should().Throw();
    }

    internal static void InAVariableThatIsPassed()
    {
        Action create = () => new Held(-1);
        Assert.Throws<ArgumentException>(create);
    }

    internal static void Another() => Run(() => new Held(1)); // expect TARN011

    internal static void AnotherInAVariable()
    {
        Action create = () => new Held(1); // expect TARN011
        Run(create);
    }

    private static void Run(Action action) => action();

    private static Subject Should(this Action action) => new(action);

    private sealed class Held(int length) : IDisposable
    {
        private byte[]? _array = ArrayPool<byte>.Shared.Rent(length);

        public void Dispose()
        {
            if (_array is { } array)
            {
                _array = null;
                ArrayPool<byte>.Shared.Return(array);
            }
        }
    }

    private sealed class Subject(Action action)
    {
        internal void Throw() => action();
    }

    private static class Assert
    {
        internal static void Throws<TException>(Action action)
            where TException : Exception
        {
            try
            {
                action();
            }
            catch (TException)
            {
            }
        }
    }
}
