package io.weft.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnreleasableTest {
    private final Buffer owner = BufferAllocator.pooled().allocate(8);

    @AfterEach
    void everyBufferWasReleased() {
        if (owner.references() > 0) {
            owner.release();
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void nobodyCanReleaseIt() {
        owner.writeAscii("text");
        Buffer view = owner.asUnreleasable();
        assertThat(view.isUnreleasable()).isTrue();
        assertThat(owner.isUnreleasable()).isFalse();
        assertThat(view.release()).isFalse();
        assertThat(view.release()).isFalse();
        assertThat(view.retain()).isSameAs(view);
        view.close();
        assertThat(view.references()).isEqualTo(1);
        assertThat(owner.references()).isEqualTo(1);
        assertThat(view.readString(US_ASCII)).isEqualTo("text");
        assertThat(owner.readableBytes()).isEqualTo(4);
        assertThat(owner.release()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itEndsWithItsOwner(boolean pooled) {
        if (pooled) {
            BufferAllocator.pooled().attachThread();
        }
        try {
            Buffer b = BufferAllocator.pooled().allocate(8).writeLong(1);
            Buffer view = b.asUnreleasable();
            Buffer viewOfView = view.asUnreleasable();
            b.retain();
            b.release();
            assertThat(viewOfView.getLong(0)).isEqualTo(1);
            b.release();
            assertThat(view.references()).isZero();
            for (Buffer ended : new Buffer[] {view, viewOfView}) {
                assertThatThrownBy(() -> ended.getByte(0))
                        .isInstanceOf(IllegalReferenceCountException.class);
                assertThatThrownBy(() -> ended.slice(0, 1))
                        .isInstanceOf(IllegalReferenceCountException.class);
                assertThatThrownBy(ended::release)
                        .isInstanceOf(IllegalReferenceCountException.class);
                assertThatThrownBy(ended::asUnreleasable)
                        .isInstanceOf(IllegalReferenceCountException.class);
            }
        } finally {
            BufferAllocator.pooled().detachThread();
        }
    }

    @Test
    void partsOfItHoldTheMemoryAndAreReleased() {
        Buffer part = owner.writeLong(7).asUnreleasable().split(8);
        owner.release();
        assertThat(part.isUnreleasable()).isFalse();
        assertThat(part.getLong(0)).isEqualTo(7);
        assertThat(part.release()).isTrue();
    }

    @Test
    void itEndsWhenItsOwnerMoves() {
        Buffer view = owner.writeLong(7).asUnreleasable();
        owner.writeBytes(new byte[5000]);
        assertThatThrownBy(() -> view.getByte(0))
                .isInstanceOf(IllegalReferenceCountException.class);
        assertThat(owner.asUnreleasable().getLong(0)).isEqualTo(7);
    }

    @Test
    void itCannotGrow() {
        Buffer view = owner.asUnreleasable();
        view.writeLong(7);
        assertThat(owner.getLong(0)).isEqualTo(7);
        assertThatThrownBy(() -> view.writeByte(1)).isInstanceOf(MemoryLimitException.class);
    }

    @Test
    void itIsReadOnlyIfItsOwnerIs() {
        Buffer readOnly = owner.writeLong(7).asReadOnly();
        Buffer view = readOnly.asUnreleasable();
        assertThatThrownBy(() -> view.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
        readOnly.release();
    }

    @Test
    void aConstantIsLentAgainAndAgain() {
        Lending lending = new Lending(owner);
        for (int i = 0; i < 1000; i++) {
            lending.add(owner.asUnreleasable());
        }
        lending.end();
        assertThat(owner.references()).isEqualTo(1);
    }

    @Test
    void aCompositeTakesAPartOfIt() {
        Buffer view = owner.writeLong(7).asUnreleasable();
        CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled()).add(view);
        assertThat(view.getLong(0)).isEqualTo(7);
        owner.release();
        assertThat(composite.getLong(0)).isEqualTo(7);
        composite.release();
    }
}
